import { useEffect, useReducer, useRef } from "react";
import { type Edit, type Edits, EMPTY, redo, type Sheet, saved, type Typing, type, undo } from "./sheet.ts";

type Step =
  | { do: "type"; typings: Typing[] }
  | { do: "undo" | "redo" | "clear" }
  | { do: "saved"; edits: Edits }
  | { do: "restore"; sheet: Sheet };

function next(sheet: Sheet, step: Step): Sheet {
  if (step.do === "type") return type(sheet, step.typings);
  if (step.do === "undo") return undo(sheet);
  if (step.do === "redo") return redo(sheet);
  if (step.do === "saved") return saved(sheet, step.edits);
  if (step.do === "restore") return step.sheet;
  return type(
    sheet,
    [...sheet.edits.values()].map((cell) => ({ cell, typed: undefined })),
  );
}

const KEY = "irepo-office-stock";

/**
 * The unsaved edits. They are stored in this tab until they are saved, across pages, searches, other screens and
 * reloads.
 */
export function useSheet() {
  const [sheet, dispatch] = useReducer(next, EMPTY);
  const isRead = useRef(false);
  useEffect(() => {
    const edits = read();
    if (edits.length > 0) {
      const kept = new Map(edits.map((edit) => [`${edit.id} ${edit.size}`, edit]));
      dispatch({ do: "restore", sheet: { ...EMPTY, edits: kept } });
    }
  }, []);
  useEffect(() => {
    // Skips the first run, before the stored edits are restored.
    if (isRead.current) sessionStorage.setItem(KEY, JSON.stringify([...sheet.edits.values()]));
    isRead.current = true;
  }, [sheet.edits]);
  return {
    sheet,
    type: (typings: Typing[]) => dispatch({ do: "type", typings }),
    undo: () => dispatch({ do: "undo" }),
    redo: () => dispatch({ do: "redo" }),
    clear: () => dispatch({ do: "clear" }),
    saved: (edits: Edits) => dispatch({ do: "saved", edits }),
  };
}

export type SheetEditor = ReturnType<typeof useSheet>;

function read(): Edit[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter(isEdit) : [];
  } catch {
    return []; // a value of another program
  }
}

function isEdit(one: unknown): one is Edit {
  return (
    typeof one === "object" &&
    one !== null &&
    ["id", "size", "title", "key"].every((name) => typeof Reflect.get(one, name) === "string") &&
    ["supplied", "onHand", "held", "typed"].every((name) => Number.isInteger(Reflect.get(one, name)))
  );
}
