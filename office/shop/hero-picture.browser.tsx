import type { HeroPicture } from "#db/types.ts";
import { Button } from "../frame/button.tsx";
import { AddPictures, UploadTile } from "../products/add-pictures.browser.tsx";
import { FocusField } from "../products/focus-field.tsx";
import type { useRenderings, useUploads } from "../products/uploads.browser.ts";

type Props = {
  title: string;
  /** A text about what is shown without this picture. */
  otherwise: string;
  picture: HeroPicture | null;
  problem?: string;
  sizes: ReturnType<typeof useRenderings>["works"];
  /** The pictures that are being uploaded. */
  uploads: ReturnType<typeof useUploads>;
  onChange(picture: HeroPicture | null): void;
};

/** A picture of a slide or of a section. It is chosen as a file, taken with the phone's camera, dropped or pasted. */
export function HeroPictureField({ title, otherwise, picture, problem, sizes, uploads, onChange }: Props) {
  const work = picture && sizes[picture.hash];
  const add = (files: Iterable<File>) => uploads.add([...files].slice(0, 1));
  return (
    // biome-ignore lint/a11y/useSemanticElements: the name of a fieldset cannot have the note beside it
    <div
      role="group"
      aria-label={title}
      className="grid gap-2"
      onDragOver={(event) => event.dataTransfer.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => {
        if (event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        add(event.dataTransfer.files);
      }}
    >
      <p className="font-semibold">
        {title} {!picture && <span className="font-normal text-muted">({otherwise})</span>}
      </p>
      {picture && (
        <FocusField image={picture} isReadOnly={false} onChange={(focus) => onChange({ ...picture, focus })} />
      )}
      {work && (
        <p role="status" className="text-[0.8125rem] text-muted tabular-nums">
          {work.made} of <span>{work.all || "…"}</span> sizes made; it can be saved meanwhile
        </p>
      )}
      {uploads.uploads.length > 0 && (
        <ul aria-label="Uploading">
          {uploads.uploads.map((upload) => (
            <UploadTile key={upload.id} upload={upload} again={uploads.again} remove={uploads.remove} />
          ))}
        </ul>
      )}
      {problem && <p className="text-[0.8125rem] font-medium text-error">{problem}</p>}
      <div className="flex flex-wrap items-center gap-2">
        <AddPictures add={add} isOne label={picture ? "Another picture" : "Add a picture"} />
        {picture && (
          <Button type="button" look="bare" className="px-2" onPress={() => onChange(null)}>
            Remove
          </Button>
        )}
      </div>
    </div>
  );
}
