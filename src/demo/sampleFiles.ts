/** Files of the sample project as they are before the team works on it: two faults, and a receipt that lacks a line. */

export const PACKAGE_JSON = `{
  "name": "corner-bakery-till",
  "version": "1.0.0",
  "description": "Prints the receipts of a corner bakery. A sample project.",
  "private": true,
  "type": "module",
  "engines": { "node": ">=20" },
  "scripts": {
    "start": "node src/main.js",
    "test": "node --test"
  }
}
`;

export const README_MD = `# Corner bakery till

The sample project of Muster's demo team: small, without dependencies, and broken on purpose.

It prints the receipts of a corner bakery. Rolls and croissants are three for two.

    npm start     prints a receipt
    npm test      fails until the team has done its work

| file | what it does |
| --- | --- |
| \`src/offers.js\` | what a line of the basket costs, offers taken off |
| \`src/table.js\` | lines up rows of text in columns |
| \`src/receipt.js\` | the receipt, made of both |

Nothing outside this folder is touched. Delete it whenever you like.
`;

export const CHANGELOG_MD = `# Changelog

## Unreleased

## 1.0.0

- The first till: baskets, three for two, receipts.
`;

export const OFFERS_JS = `/** What is sold three for two. */
const THREE_FOR_TWO = ["roll", "croissant"];

/** How many of \`count\` pieces are free: one of every full three. */
export function freePieces(count) {
  return Math.round(count / 3);
}

/** What a line of the basket costs, in cents. */
export function linePrice({ name, cents, count }) {
  const free = THREE_FOR_TWO.includes(name) ? freePieces(count) : 0;
  return cents * (count - free);
}

/** What the customer saves on a line of the basket, in cents. */
export function saving(line) {
  return line.cents * line.count - linePrice(line);
}
`;

export const TABLE_JS = `/** Lines up rows of text: the last column at the right, the others at the left. */
export function table(rows) {
  const widths = columnWidths(rows);
  return rows.map((row) => row.map((cell, column) => align(cell, column, widths)).join("  ")).join("\\n");
}

/** The width of each column: that of its longest cell. */
export function columnWidths(rows) {
  return rows[0].map((cell) => cell.length);
}

function align(cell, column, widths) {
  const last = column === widths.length - 1;
  return last ? cell.padStart(widths[column]) : cell.padEnd(widths[column]);
}
`;

export const RECEIPT_JS = `import { linePrice } from "./offers.js";
import { table } from "./table.js";

/** The receipt for a basket, as text. */
export function receipt(basket) {
  const rows = basket.map((line) => [\`\${line.count} x \${line.name}\`, money(linePrice(line))]);
  rows.push(["Total", money(sum(basket.map(linePrice)))]);
  return table(rows);
}

function sum(amounts) {
  return amounts.reduce((total, amount) => total + amount, 0);
}

function money(cents) {
  return (cents / 100).toFixed(2);
}
`;

export const MAIN_JS = `import { receipt } from "./receipt.js";

const basket = [
  { name: "roll", cents: 60, count: 5 },
  { name: "croissant", cents: 150, count: 3 },
  { name: "sourdough loaf", cents: 480, count: 1 },
];

console.log(receipt(basket));
`;

export const OFFERS_TEST_JS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { freePieces, linePrice, saving } from "../src/offers.js";

test("one of every full three is free", () => {
  assert.deepEqual([1, 2, 3, 5, 6].map(freePieces), [0, 0, 1, 1, 2]);
});

test("two rolls cost twice the price of one", () => {
  assert.equal(linePrice({ name: "roll", cents: 60, count: 2 }), 120);
});

test("what is not on offer has no saving", () => {
  assert.equal(saving({ name: "sourdough loaf", cents: 480, count: 3 }), 0);
});
`;

export const TABLE_TEST_JS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { columnWidths, table } from "../src/table.js";

test("a column is as wide as its longest cell", () => {
  assert.deepEqual(columnWidths([["roll", "0.60"], ["croissant", "12.00"]]), [9, 5]);
});

test("prices line up at the right", () => {
  assert.equal(table([["roll", "0.60"], ["croissant", "12.00"]]), "roll        0.60\\ncroissant  12.00");
});
`;

export const RECEIPT_TEST_JS = `import assert from "node:assert/strict";
import { test } from "node:test";
import { receipt } from "../src/receipt.js";

test("a receipt says what was saved", () => {
  const basket = [
    { name: "roll", cents: 60, count: 5 },
    { name: "sourdough loaf", cents: 480, count: 1 },
  ];
  assert.equal(
    receipt(basket),
    ["5 x roll            2.40", "1 x sourdough loaf  4.80", "Total               7.20", "You saved           0.60"].join("\\n"),
  );
});

test("without an offer nothing is said of savings", () => {
  assert.equal(receipt([{ name: "roll", cents: 60, count: 2 }]), "2 x roll  1.20\\nTotal     1.20");
});
`;
