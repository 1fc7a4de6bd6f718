import { useState } from "react";
import type { ProductImage } from "#db/types.ts";
import { Section } from "../frame/page.tsx";
import { AddPictures, UploadTile, usePaste } from "./add-pictures.browser.tsx";
import { PictureList, TILES } from "./picture-list.browser.tsx";
import { PicturePanel } from "./picture-panel.tsx";
import type { usePictureUploads } from "./uploads.browser.ts";

type Change = (images: ProductImage[]) => ProductImage[];
type Props = {
  images: ProductImage[];
  uploading: ReturnType<typeof usePictureUploads>;
  isReadOnly: boolean;
  problem?: string;
  onChange(change: Change): void;
};

/** The pictures of a product. New ones are chosen as files, taken with the phone's camera, dropped or pasted. */
export function Pictures({ images, uploading, isReadOnly, problem, onChange }: Props) {
  const [chosenHash, choose] = useState<string>();
  const { works, uploads, add, again, remove } = uploading;
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
          <ul className={`${TILES} mt-2`} aria-label="Uploading">
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
