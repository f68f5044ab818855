/** robots.txt (RFC 9309). Pure. */

interface Rule {
  isAllowed: boolean;
  path: string;
}

/** Whether the robots.txt lets `product` read the path, which includes the query. The longest rule decides; `Allow` wins a tie. */
export function isAllowedBy(robots: string, product: string, path: string): boolean {
  let decision: Rule = { isAllowed: true, path: "" };
  for (const rule of rulesFor(robots, product.toLowerCase())) {
    if (rule.path === "" || !matches(rule.path, path)) continue;
    const isLonger = rule.path.length > decision.path.length;
    if (isLonger || (rule.path.length === decision.path.length && rule.isAllowed)) decision = rule;
  }
  return decision.isAllowed;
}

/** The rules of all groups that name the product; without one, those of the groups for everyone. */
function rulesFor(robots: string, product: string): Rule[] {
  const named: Rule[] = [];
  const general: Rule[] = [];
  let isNamed = false;
  let agents = new Set<string>();
  let isInAgents = false;
  for (const line of robots.split(/\r\n|\r|\n/)) {
    const [, field = "", value = ""] = /^\s*([a-z-]+)\s*:([^#]*)/i.exec(line) ?? [];
    const text = value.trim();
    const name = field.toLowerCase();
    if (name === "user-agent") {
      if (!isInAgents) agents = new Set();
      isInAgents = true;
      const agent = text.toLowerCase();
      agents.add(agent);
      if (agent === product) isNamed = true;
    } else if (name === "allow" || name === "disallow") {
      isInAgents = false;
      const rule = { isAllowed: name === "allow", path: text };
      if (agents.has(product)) named.push(rule);
      if (agents.has("*")) general.push(rule);
    }
  }
  return isNamed ? named : general;
}

/** `*` stands for any characters, `$` at the end for the end. Linear in the path for each part, whatever the rule is. */
function matches(rule: string, path: string): boolean {
  const isAnchored = rule.endsWith("$");
  const [first = "", ...parts] = (isAnchored ? rule.slice(0, -1) : rule).split("*");
  if (!path.startsWith(first)) return false;
  const last = isAnchored ? parts.pop() : undefined;
  let position = first.length;
  for (const part of parts) {
    const found = path.indexOf(part, position);
    if (found === -1) return false;
    position = found + part.length;
  }
  if (!isAnchored) return true;
  if (last === undefined) return path.length === position;
  return path.length - last.length >= position && path.endsWith(last);
}
