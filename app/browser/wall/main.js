/* The picture `wall`, whose data are the bytes of a payload. */

import { hosted } from "../shared/hosts.js";
import { Wall } from "./wall.js";

export default hosted({
  name: "wall",
  show: (root) => new Wall(root),
  state: "report",
  file: { data: (bytes) => bytes },
  cell: {
    trait: "payload",
    data: (value) => {
      const { buffer, byteOffset, byteLength } = /** @type {DataView<ArrayBuffer>} */ (value);
      return new Uint8Array(buffer, byteOffset, byteLength);
    },
    traits: (_, { view: { selected, picked } }) => ({
      selected: [...selected.keys()].filter((row) => selected[row]),
      picked: picked?.row ?? null,
    }),
  },
});
