import { Later } from "../../../../app/browser/shared/later.js";
import marks from "../../../../app/browser/wall/marks.js";
import { meetingOf } from "../../../../app/browser/wall/meeting.js";
import { equal, test } from "../harness.js";

/** @param {string} wall @param {number[][]} lit */
const light = (wall, lit) =>
  marks({ data: { wall, lit }, parentElement: document, setStateValue: () => {} });

test("one key is one meeting place", () => {
  meetingOf("a").lit = [[1]];
  equal([meetingOf("a").lit, meetingOf("b").lit], [[[1]], []]);
});

test("a wall that is there is lit, and the light goes with the marks", () => {
  /** @type {number[][][]} */
  const seen = [];
  meetingOf("c").wall = { light: (lit) => seen.push(lit) };
  const end = light("c", [[3]]);
  end();
  equal(seen, [[[3]], []]);
});

test("a wall that comes late finds the light, and an overtaken call takes none away", () => {
  const first = light("d", [[1]]);
  light("d", [[2]]);
  first();
  equal(meetingOf("d").lit, [[2]]);
});

test("of calls that follow each other the last acts", async () => {
  const later = new Later(0);
  /** @type {string[]} */
  const acted = [];
  later.call(() => acted.push("first"));
  await new Promise((resolve) => later.call(() => resolve(acted.push("second"))));
  equal(acted, ["second"]);
});
