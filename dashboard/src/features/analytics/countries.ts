import { geoNaturalEarth1, geoPath } from "d3-geo";
import { feature } from "topojson-client";
import type { GeometryCollection, Topology } from "topojson-specification";
import atlas from "world-atlas/countries-110m.json" with { type: "json" };

// The build runs this module and puts its values in its place (dashboard/vite.config.ts): the page neither has the atlas nor draws it.

/** The size of the map, in the units of the paths. */
export const MAP_WIDTH = 800;
export const MAP_HEIGHT = 390;
/** Not in the data of clicks, and most of the map's height. */
const ANTARCTICA = "AQ";

interface Country {
  /** ISO 3166-1 alpha-2; null for areas without a code. */
  code: string | null;
  path: string;
}

export const COUNTRIES = drawCountries();

function drawCountries(): Country[] {
  const topology = atlas as unknown as Topology<{ countries: GeometryCollection<{ name: string }> }>;
  const { features } = feature(topology, topology.objects.countries);
  const countries = features
    .map((shape) => ({ shape, code: codeOf(shape.id, shape.properties.name) }))
    .filter(({ code }) => code !== ANTARCTICA);
  const shapes = countries.map(({ shape }) => shape);
  const projection = geoNaturalEarth1().fitSize([MAP_WIDTH, MAP_HEIGHT], {
    type: "FeatureCollection",
    features: shapes,
  });
  const draw = geoPath(projection).digits(1);
  return countries.map(({ shape, code }) => ({ code, path: draw(shape) ?? "" }));
}

/** The atlas has the numbers of ISO 3166-1, which are aliases of the codes of two letters (UTS 35). */
function codeOf(id: string | number | undefined, name: string): string | null {
  if (id === undefined) return name === "Kosovo" ? "XK" : null;
  return Intl.getCanonicalLocales(`und-${id}`)[0]?.split("-")[1] ?? null;
}
