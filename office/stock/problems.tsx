import { sizeName } from "#app/catalog/sizes.ts";
import type { SizeProblem } from "#app/owner/catalog/stock-edit.ts";
import { Button } from "../frame/button.tsx";
import { Notice } from "../frame/notice.tsx";
import { Time } from "../frame/times.tsx";
import { type Edit, keyOf } from "./sheet.ts";
import type { SheetEditor } from "./use-sheet.browser.tsx";

/** The sizes that prevented saving, each with the current stock, the typed number and the possible actions. */
export function Problems({ sizes, editor }: { sizes: SizeProblem[]; editor: SheetEditor }) {
  const open = sizes.filter((problem) => isOpen(problem, editor.sheet.edits.get(keyOf(problem))));
  if (open.length === 0) return null;
  return (
    <Notice kind="conflict">
      <p>
        <strong className="font-semibold">
          Nothing was saved: <span>{open.length === 1 ? "one size is" : `${open.length} sizes are`}</span> not as you
          saw <span>{open.length === 1 ? "it" : "them"}</span>.
        </strong>{" "}
        What you typed is still here.
      </p>
      <ul>
        {open.map((problem) => (
          <li key={keyOf(problem)} className="mt-2.5">
            <p className="tabular-nums">
              <strong className="font-semibold">
                {problem.title} {sizeName(problem.size)}:
              </strong>{" "}
              <Words problem={problem} />
            </p>
            <Choices problem={problem} editor={editor} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

/** Whether the refused number is still in the sheet. */
function isOpen(problem: SizeProblem, edit: Edit | undefined): boolean {
  if (!edit || edit.typed !== problem.typed || edit.onHand !== problem.was) return false;
  return problem.why !== "changed" || edit.supplied !== problem.supplied;
}

function Words({ problem }: { problem: SizeProblem }) {
  if (problem.why === "gone") return "this size no longer exists.";
  const { typed, was, onHand, held } = problem;
  if (problem.why === "held") {
    const sold = was - onHand;
    const since = sold > 0 ? ` ${sold} ${sold === 1 ? "was" : "were"} sold since: ${typed - sold} would be saved.` : "";
    return `you typed ${typed}.${since} ${held} ${held === 1 ? "is" : "are"} reserved for open payments and exchanges, and never less than that.`;
  }
  return (
    <span>
      <span>{problem.by ?? "Somebody"}</span> changed {was} to {onHand}
      <span>
        {problem.at && (
          <span>
            {" "}
            (<Time at={problem.at} />)
          </span>
        )}
      </span>
      . You typed {typed}.
    </span>
  );
}

function Choices({ problem, editor }: { problem: SizeProblem; editor: SheetEditor }) {
  const leave = () => {
    const edit = editor.sheet.edits.get(keyOf(problem));
    if (edit) editor.type([{ cell: edit, typed: undefined }]);
  };
  if (problem.why === "gone") {
    return (
      <Button type="button" look="line" onPress={leave} className="mt-1.5">
        Leave it out
      </Button>
    );
  }
  const { id, size, title, supplied, onHand, held, typed, was } = problem;
  const take = (number: number) => editor.type([{ cell: { id, size, title, supplied, onHand, held }, typed: number }]);
  const more = typed - was;
  return (
    <div className="mt-1.5 flex flex-wrap gap-2">
      <Button type="button" look="line" onPress={leave}>
        Leave {onHand}
      </Button>
      {problem.why === "held" ? (
        <Button type="button" look="line" onPress={() => take(held)}>
          Set {held}
        </Button>
      ) : (
        <>
          {typed >= held && (
            <Button type="button" look="line" onPress={() => take(typed)}>
              Set {typed}
            </Button>
          )}
          {onHand + more >= held && (
            <Button type="button" look="line" onPress={() => take(onHand + more)}>
              Both: {onHand + more}
            </Button>
          )}
        </>
      )}
    </div>
  );
}
