import { useEffect, useState } from "react";
import { PlusIcon } from "#app/ui/icons.tsx";
import type { ProductImage } from "#db/types.ts";
import { Button } from "../frame/button.tsx";
import { CameraIcon } from "../frame/icons.tsx";
import { Section } from "../frame/page.tsx";
import { Bar, LABEL, PictureList, TILE, TILES } from "./picture-list.browser.tsx";
import { PicturePanel } from "./picture-panel.tsx";
import { type Upload, useSizes, useUploads } from "./uploads.browser.ts";

type Change = (images: ProductImage[]) => ProductImage[];
type Props = { images: ProductImage[]; isReadOnly: boolean; problem?: string; onChange(change: Change): void };

/** A product's pictures: chosen, taken by the phone's camera, dropped or pasted. */
export function Pictures({ images, isReadOnly, problem, onChange }: Props) {
  const [chosenHash, choose] = useState<string>();
  const { works, follow } = useSizes();
  const { uploads, add, again, remove } = useUploads(({ picture, work }) => {
    follow(picture.hash, work);
    onChange((now) => (now.some(({ hash }) => hash === picture.hash) ? now : [...now, { ...picture, alt: "" }]));
  });
  usePaste(isReadOnly ? undefined : add);
  const at = Math.max(
    0,
    images.findIndex(({ hash }) => hash === chosenHash),
  );
  const chosen = images[at];
  const move = (to: number) => chosen && onChange((now) => now.toSpliced(at, 1).toSpliced(to, 0, chosen));
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop files on; the buttons in it do the same
    <div
      onDragOver={(event) => !isReadOnly && event.dataTransfer.types.includes("Files") && event.preventDefault()}
      onDrop={(event) => {
        if (isReadOnly || event.dataTransfer.files.length === 0) return;
        event.preventDefault();
        add(event.dataTransfer.files);
      }}
    >
      <Section
        title="Pictures"
        aside={images.length > 1 && <span className="text-[0.8125rem] text-muted">Drag to put them in order</span>}
      >
        {images.length > 0 && (
          <PictureList
            images={images}
            chosen={images.length > 1 ? chosen?.hash : undefined}
            works={works}
            onChoose={choose}
            onMove={(moved) => !isReadOnly && onChange(() => moved)}
            onFiles={add}
          />
        )}
        {uploads.length > 0 && (
          <ul className={`${TILES} mt-2`} aria-label="On their way">
            {uploads.map((upload) => (
              <UploadTile key={upload.id} upload={upload} again={again} remove={remove} />
            ))}
          </ul>
        )}
        {!isReadOnly && <AddPictures add={add} isFirst={images.length + uploads.length === 0} />}
        {problem && <p className="mt-2 text-[0.8125rem] font-medium text-error">{problem}</p>}
        {chosen && (
          <PicturePanel
            image={chosen}
            at={at}
            count={images.length}
            isReadOnly={isReadOnly}
            onChange={(change) =>
              onChange((now) => now.map((one) => (one.hash === chosen.hash ? { ...one, ...change } : one)))
            }
            onMove={move}
            onRemove={() => onChange((now) => now.filter(({ hash }) => hash !== chosen.hash))}
          />
        )}
      </Section>
    </div>
  );
}

/** Pictures that are pasted anywhere on the screen, but for texts that are pasted into a field. */
function usePaste(add?: (files: File[]) => void): void {
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

function UploadTile({
  upload,
  again,
  remove,
}: {
  upload: Upload;
  again(upload: Upload): void;
  remove(id: string): void;
}) {
  const { id, name, preview, sent, problem } = upload;
  if (problem)
    return (
      <li className="flex w-full flex-wrap items-center gap-x-3 gap-y-1 rounded-cut border-2 border-error bg-white p-2">
        <p role="alert" className="min-w-40 flex-1 wrap-anywhere">
          <strong className="block font-semibold text-error">{problem}</strong>
          <span className="line-clamp-1 text-[0.8125rem] text-muted">{name}</span>
        </p>
        <Button type="button" look="line" onPress={() => again(upload)}>
          Try again
        </Button>
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
        {percent < 100 ? `${percent}%` : "Looking at it"}
      </span>
      <Bar part={sent} />
    </li>
  );
}

/** Two fields for files, which phones answer in two ways: with all pictures, and with the camera. */
function AddPictures({ add, isFirst }: { add(files: FileList): void; isFirst: boolean }) {
  const field = (name: string, Icon: typeof PlusIcon, props: React.ComponentProps<"input">, className = "") => (
    <label
      className={`inline-flex min-h-11 cursor-pointer items-center justify-center gap-2 rounded-cut border border-field bg-white px-3.5 font-semibold hover:border-ink hover:bg-linen has-focus-visible:outline-2 has-focus-visible:outline-offset-2 lg:min-h-9 ${className}`}
    >
      <Icon className="size-5" />
      {name}
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
      {field("Add pictures", PlusIcon, { multiple: true })}
      {field("Camera", CameraIcon, { capture: "environment" }, "lg:hidden")}
      <span className="text-[0.8125rem] leading-4.5 text-muted max-lg:hidden">or drop or paste them here</span>
    </div>
  );
}
