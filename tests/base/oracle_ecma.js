// Checks printed doubles against Number.prototype.toString: lines of `bits text` on standard input, exit status 1 at
// a difference.
"use strict";

const view = new DataView(new ArrayBuffer(8));
let count = 0;
for (const line of require("fs").readFileSync(0, "latin1").split("\n")) {
    if (line === "") continue;
    const [bits, text] = line.split(" ");
    view.setBigUint64(0, BigInt("0x" + bits));
    const expected = String(view.getFloat64(0));
    if (text !== expected) {
        console.log(`${bits}: ${text}, expected ${expected}`);
        process.exit(1);
    }
    count++;
}
console.log(`${count} doubles as ECMAScript's toString`);
process.exit(count > 0 ? 0 : 1);
