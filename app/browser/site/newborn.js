/* The recorded training of a small language model as a page of its own. */

import { NewbornView } from "../newborn/view.js";
import { mounted, payload } from "./mount.js";

mounted(".newborn", (root) => {
  const view = new NewbornView(root);
  const recording = JSON.parse(new TextDecoder().decode(payload()));
  return () => view.load({ run: "stored", is_live: false, recording });
});
