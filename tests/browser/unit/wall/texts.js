/* Where a tooltip stands. */

import { beside } from "../../../../app/browser/wall/tooltip.js";
import { equal, test } from "../harness.js";

test("a tooltip stands after the pointer, before it where there is no room, always within", () => {
  equal(beside(10, 50, 100), 24);
  equal(beside(80, 50, 100), 16);
  equal(beside(50, 90, 100), 0);
  equal(beside(36, 50, 100), 50);
});
