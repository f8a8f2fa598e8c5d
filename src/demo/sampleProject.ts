import {
  CHANGELOG_MD,
  MAIN_JS,
  OFFERS_JS,
  OFFERS_TEST_JS,
  PACKAGE_JSON,
  README_MD,
  RECEIPT_JS,
  RECEIPT_TEST_JS,
  TABLE_JS,
  TABLE_TEST_JS,
} from "./sampleFiles.ts";

/**
 * The sample project: path (with `/`, from its folder) → text. `npm test` fails as long as the two faults are in it and
 * the receipt does not tell the saving.
 */
export const SAMPLE_PROJECT: Readonly<Record<string, string>> = {
  "package.json": PACKAGE_JSON,
  "README.md": README_MD,
  "CHANGELOG.md": CHANGELOG_MD,
  "src/offers.js": OFFERS_JS,
  "src/table.js": TABLE_JS,
  "src/receipt.js": RECEIPT_JS,
  "src/main.js": MAIN_JS,
  "test/offers.test.js": OFFERS_TEST_JS,
  "test/table.test.js": TABLE_TEST_JS,
  "test/receipt.test.js": RECEIPT_TEST_JS,
};

/** Names of the sample's tests, by the module that they are about. */
export const SAMPLE_TESTS = {
  offers: [
    "one of every full three is free",
    "two rolls cost twice the price of one",
    "what is not on offer has no saving",
  ],
  table: ["a column is as wide as its longest cell", "prices line up at the right"],
  receipt: ["a receipt says what was saved", "without an offer nothing is said of savings"],
} as const;

/** A change of one file: `from` stands in it once. */
export interface SampleEdit {
  path: string;
  from: string;
  to: string;
}

/** What the team changes, by task. */
export const SAMPLE_EDITS = {
  offers: [{ path: "src/offers.js", from: "Math.round(count / 3)", to: "Math.floor(count / 3)" }],
  table: [
    {
      path: "src/table.js",
      from: "return rows[0].map((cell) => cell.length);",
      to: "return rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));",
    },
  ],
  receipt: [
    {
      path: "src/receipt.js",
      from: 'import { linePrice } from "./offers.js";',
      to: 'import { linePrice, saving } from "./offers.js";',
    },
    {
      path: "src/receipt.js",
      from: "  return table(rows);",
      to: '  const saved = sum(basket.map(saving));\n  if (saved > 0) rows.push(["You saved", money(saved)]);\n  return table(rows);',
    },
    {
      path: "CHANGELOG.md",
      from: "## Unreleased\n",
      to: "## Unreleased\n\n- The receipt says what the customer saved.\n- Two pieces of an offer are paid in full; columns are as wide as their longest cell.\n",
    },
  ],
} as const satisfies Record<string, readonly SampleEdit[]>;
