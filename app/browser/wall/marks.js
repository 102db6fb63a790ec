/* The invisible component that hands a wall the rows to light; it waits where the wall is late. */

import { entryOf } from "./registry.js";

export default function ({ data }) {
  const entry = entryOf(data.wall);
  const light = (lit) => {
    entry.lit = lit;
    entry.wall?.light(lit);
  };
  light(data.lit);
  // As in main.js, a call that a newer one overtook is ended too, and must take no light away.
  const call = (entry.calls = (entry.calls ?? 0) + 1);
  return () => entry.calls === call && light([]);
}
