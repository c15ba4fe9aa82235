// Where the map beside it is to look. The place changes whenever the reader comes to rest, so it travels without the
// map: Streamlit sends a component's script again with each change of its data, and the map's script is long.
import { createElement } from "../../shared/dom.js";
import { mountOnce } from "../../shared/mount.js";
import { hearQuestions, tellPlace } from "../../shared/place_link.js";

class MapPlace {
  constructor(parent) {
    parent.append(createElement("div", { className: "gf", hidden: true })); // it draws nothing, and says that it works
    this.stop = hearQuestions(() => this.place && tellPlace(this.place));
  }

  // `place`: what `viz.home.model_map.pack_map_place` packs.
  update(place) {
    this.place = place;
    tellPlace(place);
  }
}

export default mountOnce(MapPlace);
