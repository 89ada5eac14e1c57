// page.js - calls world.c in each frame and shows what it finds; run.sh puts it, and world.c as
// base64, into index.html.
"use strict";

// These are numbered as in world.c.
const WINDOW = 0, CIRCLE = 1, RAY = 2, MOVING_BOX = 3, NEAREST = 4, STEER = 5;
const RADIUS = 2;
const COLOURS = ["background", "cell", "box-fill", "box-edge", "touching-fill", "touching-edge",
    "hit-fill", "hit-edge"];

const SIZES = [1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000];
const AREA = 90; // of the world for each box: each touches about one other

const element = (id) => document.getElementById(id);
const canvas = element("view");
const paint = canvas.getContext("2d", {alpha: false});
const form = element("controls");

let world; // what world.c exports
let pixels; // the address of its picture
let width, height; // of the world
let lastFrame, lastShown = -Infinity, passed = 0;
let askColour;
const from = {x: 0.3, y: 0.3}, to = {x: 0.62, y: 0.62}; // the drag, as a part of the canvas
const averages = {frames: 0, update: 0, pairs: 0, ask: 0, draw: 0}; // milliseconds
let averaged = 0; // frames that are in them

function textAt(address) {
    const bytes = new Uint8Array(world.memory.buffer, address);
    return new TextDecoder().decode(bytes.subarray(0, bytes.indexOf(0)));
}

// Passes a result through; errors are negative, and the first is shown till something is changed.
function must(result) {
    const problem = element("problem");
    if (result < 0 && !problem.textContent)
        problem.textContent = textAt(world.world_error(result));
    return result;
}

const chosen = (name) => Number(form.elements[name].value);
const boxes = () => SIZES[element("size").value];

function openWorld() {
    height = Math.sqrt(AREA * boxes() * canvas.height / canvas.width);
    width = height * canvas.width / canvas.height;
    must(world.world_open(boxes(), width, height));
    averaged = 0;
}

function readColours() {
    const style = getComputedStyle(document.documentElement);
    const colours = new Uint8Array(world.memory.buffer, world.world_colours(), 4 * COLOURS.length);
    COLOURS.forEach((name, i) => {
        const text = style.getPropertyValue("--" + name).trim(); // #rrggbb
        for (let k = 0; k < 3; k++)
            colours[4 * i + k] = parseInt(text.slice(1 + 2 * k, 3 + 2 * k), 16);
        colours[4 * i + 3] = 255;
    });
    askColour = style.getPropertyValue("--ask");
}

// Gives the canvas the pixels that it has on the screen, and the world the shape of the canvas.
function fitCanvas() {
    const columns = Math.max(1, Math.round(canvas.clientWidth * devicePixelRatio));
    const rows = Math.max(1, Math.round(canvas.clientHeight * devicePixelRatio));
    if (pixels && canvas.width === columns && canvas.height === rows) return;
    canvas.width = columns;
    canvas.height = rows;
    pixels = world.world_screen(columns, rows);
    if (!pixels) throw new Error("no memory for the picture");
    if (width === undefined) return openWorld();
    height = Math.sqrt(AREA * boxes() * rows / columns);
    width = height * columns / rows;
    must(world.world_stretch(width, height));
}

// ---- a frame ------------------------------------------------------------------------------------

function measure(part, milliseconds) {
    averages[part] += (milliseconds - averages[part]) / Math.min(averaged + 1, 40);
}

function timed(part, work) {
    const begin = performance.now();
    const result = work();
    measure(part, performance.now() - begin);
    return result;
}

function ask() {
    const question = chosen("question");
    const ax = from.x * width, ay = from.y * height, bx = to.x * width, by = to.y * height;
    let size = 0;
    if (question === CIRCLE) size = Math.sqrt((bx - ax) * (bx - ax) + (by - ay) * (by - ay));
    if (question === MOVING_BOX) size = width / 80;
    if (question === NEAREST) size = Number(element("nearest").value);
    if (question === STEER) size = width / 4000 * passed;
    const hits = must(world.world_ask(question, ax, ay, bx, by, size));
    const [t, nx, ny, distance, x, y] =
        new Float32Array(world.memory.buffer, world.world_answer(), 6);
    return {question, hits, t, nx, ny, distance, x, y, size};
}

function draw(answer) {
    world.world_draw(element("cells").checked);
    const {width: columns, height: rows} = canvas;
    const bytes = new Uint8ClampedArray(world.memory.buffer, pixels, 4 * columns * rows);
    paint.putImageData(new ImageData(bytes, columns, rows), 0, 0);
    drawQuestion(answer);
}

function frame(now) {
    fitCanvas();
    const since = lastFrame === undefined ? 0 : now - lastFrame;
    passed = Math.min(since, 50);
    const paused = element("pause").checked;
    lastFrame = now;
    timed("update", () => paused || must(world.world_step(passed)));
    const pairs = timed("pairs", () => must(world.world_pairs()));
    const answer = timed("ask", ask);
    timed("draw", () => draw(answer));
    measure("frames", since);
    averaged++;
    if (now - lastShown >= 250) {
        showFigures(pairs, answer.hits);
        lastShown = now;
    }
    requestAnimationFrame(frame);
}

function textOfTime(milliseconds) {
    if (milliseconds < 0.005) return "< 0.01";
    return milliseconds.toFixed(milliseconds < 10 ? 2 : 1);
}

function showFigures(pairs, hits) {
    for (const part of ["update", "pairs", "ask", "draw"])
        element(part).textContent = textOfTime(averages[part]);
    element("frames").textContent = averages.frames > 0 ?
        (1000 / averages.frames).toFixed(0) : "-";
    element("pair-count").textContent = pairs.toLocaleString("en");
    element("hit-count").textContent = hits.toLocaleString("en");
    element("bytes").textContent = (world.world_bytes() / 1e6).toFixed(2);
}

// ---- the question, over the boxes ---------------------------------------------------------------

function line(...points) {
    paint.beginPath();
    points.forEach(([x, y]) => paint.lineTo(x, y));
    paint.stroke();
}

// The way before the hit is drawn through, the rest dashed; at the hit the box, and an arrow away
// from the side that was hit.
function drawWay(answer, a, b, unit) {
    const half = answer.question === MOVING_BOX ? answer.size * unit : 0;
    const hit = {x: a.x + (b.x - a.x) * answer.t, y: a.y + (b.y - a.y) * answer.t};
    const square = (p) => paint.strokeRect(p.x - half, p.y - half, 2 * half, 2 * half);
    // The corners that go along the sides of the way.
    const side = (b.x - a.x) * (b.y - a.y) > 0 ? -half : half;
    const way = (p, q) => {
        for (const [dx, dy] of half > 0 ? [[half, side], [-half, -side]] : [[0, 0]])
            line([p.x + dx, p.y + dy], [q.x + dx, q.y + dy]);
    };
    const dash = 5 * devicePixelRatio, arrow = 22 * devicePixelRatio;
    square(a);
    way(a, hit);
    paint.setLineDash([dash, dash]);
    way(hit, b);
    square(b);
    paint.setLineDash([]);
    if (answer.hits === 0) return;
    square(hit);
    const nx = answer.nx, ny = answer.ny;
    if (nx === 0 && ny === 0) return; // it touches at the start
    const foot = {x: hit.x - half * nx, y: hit.y - half * ny};
    const end = {x: foot.x + arrow * nx, y: foot.y + arrow * ny};
    const barb = arrow / 3;
    line([foot.x, foot.y], [end.x, end.y]);
    line([end.x - barb * (nx + ny), end.y - barb * (ny + nx)], [end.x, end.y],
        [end.x - barb * (nx - ny), end.y - barb * (ny - nx)]);
}

function circle(centre, radius) {
    paint.beginPath();
    paint.arc(centre.x, centre.y, radius, 0, 2 * Math.PI);
    paint.stroke();
}

// The circle, with a wider one around it, for it is small among many boxes; the way that is left,
// dashed; and where it is stopped, an arrow away from what stops it.
function drawSteered(answer, b, unit) {
    const dash = 5 * devicePixelRatio, arrow = 30 * devicePixelRatio;
    const at = {x: answer.x * unit, y: answer.y * unit};
    paint.fillStyle = askColour;
    paint.beginPath();
    paint.arc(at.x, at.y, Math.max(RADIUS * unit, 1), 0, 2 * Math.PI);
    paint.fill();
    circle(at, RADIUS * unit + 2 * dash);
    paint.setLineDash([dash, dash]);
    line([at.x, at.y], [b.x, b.y]);
    paint.setLineDash([]);
    if (answer.hits > 0)
        line([at.x, at.y], [at.x + arrow * answer.nx, at.y + arrow * answer.ny]);
}

function drawQuestion(answer) {
    const a = {x: from.x * canvas.width, y: from.y * canvas.height};
    const b = {x: to.x * canvas.width, y: to.y * canvas.height};
    const unit = canvas.width / width;
    paint.strokeStyle = askColour;
    paint.lineWidth = 2 * devicePixelRatio;
    if (answer.question === WINDOW) paint.strokeRect(a.x, a.y, b.x - a.x, b.y - a.y);
    if (answer.question === CIRCLE) circle(a, answer.size * unit);
    if (answer.question === RAY || answer.question === MOVING_BOX) drawWay(answer, a, b, unit);
    if (answer.question === STEER) drawSteered(answer, b, unit);
    if (answer.question === NEAREST) {
        circle(b, 3 * devicePixelRatio);
        circle(b, answer.distance * unit);
    }
}

// ---- what the visitor does ----------------------------------------------------------------------

let dragging = false;

function pointAt(event, point) {
    const rect = canvas.getBoundingClientRect();
    point.x = Math.min(Math.max((event.clientX - rect.left) / rect.width, 0), 1);
    point.y = Math.min(Math.max((event.clientY - rect.top) / rect.height, 0), 1);
}

canvas.addEventListener("pointerdown", (event) => {
    if (!event.isPrimary || event.button !== 0) return;
    dragging = true;
    pointAt(event, from);
    pointAt(event, to);
});

// Of the window, for the pointer may leave the canvas.
window.addEventListener("pointermove", (event) => {
    if (dragging && event.isPrimary) pointAt(event, to);
});
for (const end of ["pointerup", "pointercancel"])
    window.addEventListener(end, (event) => {
        if (event.isPrimary) dragging = false;
    });

canvas.addEventListener("keydown", (event) => {
    const step = {ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1]};
    if (!(event.key in step)) return;
    event.preventDefault();
    const [dx, dy] = step[event.key];
    for (const point of [from, to]) point.x += dx / 64, point.y += dy / 64;
});

document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || event.repeat) return;
    const key = event.key.toLowerCase();
    for (const input of form.querySelectorAll("[data-key]"))
        if (input.dataset.key === key) input.click();
});

function showTexts() {
    element("size-text").textContent = boxes().toLocaleString("en");
    element("size").setAttribute("aria-valuetext", element("size-text").textContent);
    element("nearest-text").textContent = element("nearest").value;
}

form.addEventListener("input", (event) => {
    averaged = 0;
    element("problem").textContent = "";
    showTexts();
    if (event.target.name === "structure") must(world.world_choose(chosen("structure")));
    if (event.target.id === "size") openWorld();
});
form.addEventListener("submit", (event) => event.preventDefault());

matchMedia("(prefers-color-scheme: dark)").addEventListener("change", readColours);

function start({instance}) {
    world = instance.exports;
    form.reset(); // some browsers keep what was chosen before the page was loaded again
    element("pause").checked = matchMedia("(prefers-reduced-motion: reduce)").matches;
    showTexts();
    readColours();
    requestAnimationFrame(frame);
}

if (typeof wasm === "undefined") // index.html itself was opened, not the page that run.sh makes
    document.body.innerHTML = "<p class=\"alone\">This page has to be built: run " +
        "<code>sh examples/web/run.sh</code> at the top of the repository, and open the page " +
        "that it names.</p>";
else WebAssembly.instantiate( // the first build that the browser takes: one with SIMD, one without
    wasm.map((text) => Uint8Array.from(atob(text), (c) => c.charCodeAt(0)))
        .find((bytes) => WebAssembly.validate(bytes))).then(start)
    .catch((error) => {
        element("problem").textContent = error;
        console.error(error);
    });
