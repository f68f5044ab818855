import { Check, Minus } from "lucide-react";
import { roleHas, ROLES, type LOWEST_ROLE } from "#src/platform/auth/roles.ts";
import { texts } from "#dashboard/texts/index.ts";
import { Section } from "#dashboard/ui/layout.tsx";
import { ColumnHead } from "#dashboard/ui/column-head.tsx";

/** One permission stands for each line, so the table follows the rules of the service. */
const ABILITIES = {
  read: "links:read",
  links: "links:write",
  manage: "members:write",
  own: "account:write",
} as const satisfies Record<keyof typeof texts.team.roles.abilities, keyof typeof LOWEST_ROLE>;

const COLUMNS = ROLES.toReversed();

export function RolesTable() {
  const { title, may, yes, no, abilities } = texts.team.roles;
  return (
    <Section title={title}>
      <table className="w-full text-start">
        <thead className="text-sm text-soft">
          <tr>
            <ColumnHead className="pb-2">{may}</ColumnHead>
            {COLUMNS.map((role) => (
              <ColumnHead key={role} className="px-1 pb-2 text-center max-sm:text-xs sm:px-2">
                {texts.settings.roleNames[role]}
              </ColumnHead>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {Object.entries(ABILITIES).map(([name, permission]) => (
            <tr key={name}>
              <th scope="row" className="py-2 pe-3 font-normal">
                {abilities[name as keyof typeof abilities]}
              </th>
              {COLUMNS.map((role) => (
                <td key={role} className="px-2 py-2">
                  <span className="flex justify-center">
                    {roleHas(role, permission) ? (
                      <Check size={18} className="text-good" role="img" aria-label={yes} />
                    ) : (
                      <Minus size={18} className="text-soft" role="img" aria-label={no} />
                    )}
                  </span>
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Section>
  );
}
