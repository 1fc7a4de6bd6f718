import { useEffect } from "react";
import { PlusIcon } from "#app/ui/icons.tsx";
import { Button } from "../frame/button.tsx";
import { CameraIcon } from "../frame/icons.tsx";
import { Bar, LABEL, TILE } from "./picture-list.browser.tsx";
import type { Upload } from "./uploads.browser.ts";

/** Calls `add` with pictures that are pasted anywhere on the screen. Pasted texts are not affected. */
export function usePaste(add?: (files: File[]) => void): void {
  useEffect(() => {
    const onPaste = (event: ClipboardEvent) => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (!add || files.length === 0) return;
      event.preventDefault();
      add(files);
    };
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  }, [add]);
}

export function UploadTile({
  upload,
  again,
  remove,
}: {
  upload: Upload;
  again(upload: Upload): void;
  remove(id: string): void;
}) {
  const { id, name, preview, sent, problem, isRefused } = upload;
  if (problem)
    return (
      <li className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-cut border-2 border-error bg-white p-2">
        <p role="alert" className="min-w-40 flex-1 wrap-anywhere">
          <strong className="block font-semibold text-error">{problem}</strong>
          <span className="line-clamp-1 text-[0.8125rem] text-muted">{name || "A file without a name"}</span>
        </p>
        {!isRefused && (
          <Button type="button" look="line" onPress={() => again(upload)}>
            Try again
          </Button>
        )}
        <Button type="button" look="bare" className="px-2" onPress={() => remove(id)}>
          Leave it out
        </Button>
      </li>
    );
  const percent = Math.round(sent * 100);
  return (
    <li className={TILE}>
      <img src={preview} alt="" className="size-full object-cover opacity-45" />
      <span className={`${LABEL} tabular-nums`} role="status">
        {percent < 100 ? `${percent}%` : "Checking"}
      </span>
      <Bar part={sent} />
    </li>
  );
}

type AddProps = {
  add(files: FileList): void;
  /** There is no picture yet, so the drop area is large. */
  isFirst?: boolean;
  label?: string;
  isOne?: boolean;
};

/** Two file inputs, because phones treat them differently: one offers all pictures, the other opens the camera. */
export function AddPictures({ add, isFirst = false, label = "Add pictures", isOne = false }: AddProps) {
  const field = (name: string, Icon: typeof PlusIcon, props: React.ComponentProps<"input">, className = "") => (
    <label
      className={`inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-cut border border-field bg-white px-3.5 font-semibold hover:border-ink hover:bg-linen has-focus-visible:outline-2 has-focus-visible:outline-offset-2 lg:min-h-9 ${className}`}
    >
      <Icon className="size-5" />
      {name}{" "}
      <input
        type="file"
        accept="image/*"
        className="sr-only"
        onChange={({ target }) => {
          if (target.files) add(target.files);
          target.value = "";
        }}
        {...props}
      />
    </label>
  );
  return (
    <div
      className={`mt-2 flex flex-wrap items-center gap-2 rounded-cut border border-dashed border-field p-3 ${isFirst ? "min-h-40 content-center justify-center" : ""}`}
    >
      {field(label, PlusIcon, { multiple: !isOne })}
      {field("Camera", CameraIcon, { capture: "environment" }, "lg:hidden")}
      <span className="text-[0.8125rem] leading-4.5 text-muted max-lg:hidden">
        or drop or paste <span>{isOne ? "it" : "them"}</span> here
      </span>
    </div>
  );
}
