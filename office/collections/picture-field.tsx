import { useState } from "react";
import { ALT_MAX } from "#app/owner/shop/hero.ts";
import { useHydrated } from "#app/ui/use-hydrated.browser.ts";
import type { ProductImage } from "#db/types.ts";
import { TextField } from "../frame/field.tsx";
import { usePaste } from "../products/add-pictures.browser.tsx";
import { useRenderings, useUploads } from "../products/uploads.browser.ts";
import { HeroPictureField } from "../shop/hero-picture.browser.tsx";

type Props = {
  picture: ProductImage | undefined;
  /** The texts of a refused form. */
  typed: { picture?: string; alt?: string } | undefined;
  problems: Record<string, string>;
};

/** The picture of a collection and what it shows. Without script it stays as it is. */
export function PictureField({ picture, typed, problems }: Props) {
  const [chosen, choose] = useState<Omit<ProductImage, "alt"> | null>(picture ?? null);
  const isHydrated = useHydrated();
  const { works, follow } = useRenderings();
  const uploads = useUploads((added) => {
    follow(added.picture.hash, added.work);
    choose(added.picture);
  });
  usePaste((files) => uploads.add(files.slice(0, 1)));
  const file = chosen ? JSON.stringify({ hash: chosen.hash, focus: chosen.focus }) : "";
  return (
    <>
      <input type="hidden" name="picture" value={isHydrated ? file : (typed?.picture ?? file)} />
      {isHydrated ? (
        <HeroPictureField
          title="Picture"
          otherwise="the name stands above the products"
          picture={chosen}
          problem={problems.picture}
          sizes={works}
          uploads={uploads}
          onChange={choose}
        />
      ) : (
        problems.picture && <p className="font-medium text-error">{problems.picture}</p>
      )}
      {(chosen || problems.alt) && (
        <TextField
          label="What it shows"
          note="for people who can’t see it"
          problem={problems.alt}
          name="alt"
          defaultValue={typed?.alt ?? picture?.alt}
          maxLength={ALT_MAX}
        />
      )}
    </>
  );
}
