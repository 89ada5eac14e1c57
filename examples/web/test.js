// test.js - drives the page through its own handlers, and writes what it finds as text, in the
// words of main in world.c. run.sh puts it before page.js.
"use strict";

const errors = [];
window.addEventListener("error", (event) => errors.push(event.message));
window.addEventListener("unhandledrejection", (event) => errors.push(String(event.reason)));
console.error = (...words) => errors.push(words.join(" "));

// At once, for Chromium prints the page as soon as it has loaded it.
WebAssembly.instantiate = async (bytes) =>
    ({instance: new WebAssembly.Instance(new WebAssembly.Module(bytes))});

// Frames come when the test calls for them; the first that the page asks for starts it.
let nextFrame, time = 0;
window.requestAnimationFrame = (callback) => {
    if (!nextFrame) queueMicrotask(testAndTell);
    nextFrame = callback;
};

const lines = [];

function check(condition, what) {
    if (!condition) errors.push("not so: " + what);
}

function frames(count) {
    for (let i = 0; i < count; i++) nextFrame(time += 16);
}

function sizeOfCanvas(columns, rows) {
    document.getElementById("view").style.cssText =
        `position: fixed; left: 0; top: 0; width: ${columns}px; height: ${rows}px`;
}
sizeOfCanvas(1024, 640);

function press(key, target) {
    target.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true}));
}

function pointer(type, pointerType, clientX, clientY, more) {
    canvas.dispatchEvent(new PointerEvent(type,
        {pointerType, clientX, clientY, isPrimary: true, bubbles: true, ...more}));
}

// From (256, 192) to (576, 416); nothing else counts: no other finger or button, no move without.
function drag(pointerType) {
    pointer("pointermove", pointerType, 5, 5);
    pointer("pointerdown", pointerType, 256, 192);
    pointer("pointermove", pointerType, 300, 600);
    pointer("pointerdown", pointerType, 500, 500, {isPrimary: false});
    pointer("pointerup", pointerType, 500, 500, {isPrimary: false});
    pointer("pointermove", pointerType, 576, 416);
    pointer("pointermove", pointerType, 510, 510, {isPrimary: false});
    pointer("pointerup", pointerType, 576, 416);
    pointer("pointerdown", pointerType, 500, 500, {button: 2});
    pointer("pointermove", pointerType, 5, 5);
}

function slide(id, value) {
    element(id).value = value;
    element(id).dispatchEvent(new Event("input", {bubbles: true}));
}

const sum = (what) => (world.world_sum(what) >>> 0).toString(16).padStart(8, "0");

function report(what, count, of) {
    lines.push(`${what} ${count} ${sum(of)}`);
}

function testStructure(key, name) {
    press(key, document.body);
    slide("size", 3);
    frames(2);
    slide("size", 4); // 20,000 boxes where they were at first
    frames(30);
    press("P", document.body);
    frames(1);
    report(name + ": pairs", must(world.world_pairs()), 0);
    [..."wcrmns"].forEach((question, i) => {
        press(question, document.body);
        drag(i % 2 ? "touch" : "mouse");
        frames(question === "s" ? 60 : 20); // figures are shown every quarter of a second
        const hits = element("hit-count").textContent.replace(",", "");
        report(["window", "circle", "ray", "moving box", "nearest", "steer"][i], hits, 1);
    });
    check(element("pair-count").textContent.replace(",", "") == world.world_pairs(), "pairs shown");
    press("g", document.body);
    frames(1);
    report("picture with cells", canvas.width * canvas.height, 2);
    press("g", document.body);
    press("w", document.body);
    press("p", document.body);
}

function test() {
    frames(1);
    new Uint32Array(world.memory.buffer, world.world_colours(), 8).set([1, 2, 3, 4, 5, 6, 7, 8]);
    ["linear", "quadtree", "loosegrid", "packed", "broadphase"].forEach(
        (name, i) => testStructure(String(i + 1), name));
    sizeOfCanvas(700, 500);
    press("ArrowRight", canvas);
    press("ArrowDown", canvas);
    frames(1);
    check(canvas.width === 700 && canvas.height === 500, "the canvas has the pixels of its size");
    report("another shape: pairs", must(world.world_pairs()), 0);
    report("window", ask().hits, 1);
    slide("size", 7);
    frames(2);
    report("200000 boxes: pairs", must(world.world_pairs()), 0);
    check(element("problem").textContent === "", "no error is shown");
}

function testAndTell() {
    try {
        test();
    } catch (error) {
        errors.push(String(error));
    }
    const result = document.createElement("pre");
    result.id = "result";
    result.textContent = "\n" + lines.concat(errors).join("\n") + "\n";
    document.body.append(result);
}
