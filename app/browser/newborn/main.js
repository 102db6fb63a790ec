/* The component that plays the recording of a training: { run, is_live, recording }. */

import { component } from "../shared/component.js";
import { NewbornView } from "./view.js";

export default component(".newborn", "report", (root) => new NewbornView(root));
