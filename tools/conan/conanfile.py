# A recipe for Conan 2: conan create tools/conan --version=1.0.0

import os

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, get, rmdir


class SpatialConan(ConanFile):
    name = "spatial-h"
    description = "2D collision detection: a broadphase, and a spatial index of boxes"
    license = "Unlicense"
    package_type = "static-library"
    settings = "os", "arch", "compiler", "build_type"

    def configure(self):  # it is C
        self.settings.rm_safe("compiler.cppstd")
        self.settings.rm_safe("compiler.libcxx")

    def layout(self):
        cmake_layout(self, src_folder="src")

    def source(self):
        get(self, **self.conan_data["sources"][self.version], strip_root=True)

    def generate(self):
        CMakeToolchain(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure(build_script_folder="tools/cmake")
        cmake.build()

    def package(self):
        CMake(self).install()
        for folder in ("cmake", "pkgconfig"):  # Conan makes these
            rmdir(self, os.path.join(self.package_folder, "lib", folder))
        copy(self, "UNLICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        self.cpp_info.set_property("cmake_file_name", "spatial")
        header = self.cpp_info.components["header"]
        header.set_property("cmake_target_name", "spatial::spatial")
        implementation = self.cpp_info.components["implementation"]
        implementation.set_property("cmake_target_name", "spatial::implementation")
        implementation.set_property("pkg_config_name", "spatial")
        implementation.libs = ["spatial"]
        implementation.requires = ["header"]
