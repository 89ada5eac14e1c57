// wasm.mjs - runs smoke.c as WebAssembly in node: node wasm.mjs FILE. See targets.sh.
import { readFileSync } from 'node:fs';

let text = '';
const imports = {
    env: {
        smoke_write: (c) => {
            text += String.fromCharCode(c);
        },
    },
};
const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), imports);
process.exitCode = instance.exports.smoke_main();
process.stdout.write(text);
