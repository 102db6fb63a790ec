/* The invisible component that tells a wall which rows to ring, also if the wall comes later. */

import { ending } from "../shared/hosts.js";
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
