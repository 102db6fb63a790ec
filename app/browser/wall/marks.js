/* The invisible component that hands a wall the rows to light; it waits where the wall is late. */

import { ending } from "../shared/component.js";
import { meetingOf } from "./meeting.js";

/** @import { Call } from "../shared/types" */

/** @param {Call<{ wall: string, lit: number[][] }>} call */
export default function ({ data }) {
  const meeting = meetingOf(data.wall);
  /** @param {number[][]} lit */
  const light = (lit) => {
    meeting.lit = lit;
    meeting.wall?.light(lit);
  };
  light(data.lit);
  return ending(meeting, () => light([]));
}
