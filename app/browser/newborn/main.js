/* The picture that plays the recording of a training: { run, is_live, recording }. */

import { hosted } from "../shared/hosts.js";
import { decodeUtf8 } from "../shared/wire.js";
import { NewbornView } from "./view.js";

export default hosted({
  name: "newborn",
  show: (root) => new NewbornView(root),
  state: "report",
  file: {
    data: (bytes) => ({ run: "stored", is_live: false, recording: JSON.parse(decodeUtf8(bytes)) }),
  },
});
