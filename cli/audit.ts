import { isKnownSubject, listChanges } from "#app/owner/audit.server.ts";
import { inShopTime, shopTime } from "#app/owner/shop-time.server.ts";
import { type Actions, action, badInput } from "./command.ts";
import { dayFrom, pageLine, partOf, refuseBeyond } from "./paging.ts";

const shown = (value: object | null) => (value ? inShopTime(JSON.stringify(value)) : "-");

export const audit: Actions = {
  "audit list": action({
    options: { subject: "KIND:ID", since: "DAY", page: "N" },
    says: "shows who changed what, and when: everything, one kind (product), or one record (product:eko-jersey, IR-7K3M-2Q)",
    changes: false,
    async run({ db, json, options: { subject, since, page } }) {
      const part = partOf(page, json);
      const { changes, total } = await listChanges(db, { subject, since: since ? dayFrom(since) : undefined, ...part });
      if (subject && total === 0 && !(await isKnownSubject(db, subject)))
        return badInput(
          `The log has nothing on '${subject}'. Give a kind (product), an id, or both (product:eko-jersey)`,
        );
      refuseBeyond("changes", total, part);
      const lines = changes.map(({ at, actor, action, subjectKind, subjectId, number, before, after }) => {
        const which = [`${subjectKind}:${subjectId}`, number && `(${number})`].filter(Boolean).join(" ");
        return [shopTime(at), actor, action, which, `${shown(before)} -> ${shown(after)}`].join("  ");
      });
      return {
        code: 0,
        data: { total, page: part.page, changes },
        text: [...lines, pageLine("changes", total, part)].join("\n"),
      };
    },
  }),
};
