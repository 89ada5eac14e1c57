# A port for vcpkg: vcpkg install spatial-h --overlay-ports=tools/vcpkg
# OWNER is where the repository is. With a SHA512 of 0 vcpkg stops, and prints the right one.

vcpkg_check_linkage(ONLY_STATIC_LIBRARY)
vcpkg_from_github(
    OUT_SOURCE_PATH SOURCE_PATH
    REPO OWNER/spatial.h
    REF "v${VERSION}"
    SHA512 0
)
vcpkg_cmake_configure(SOURCE_PATH "${SOURCE_PATH}/tools/cmake")
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(PACKAGE_NAME spatial CONFIG_PATH lib/cmake/spatial)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/UNLICENSE")
