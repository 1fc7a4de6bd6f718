import type { ReactNode } from "react";
import { Button } from "../frame/button.tsx";
import { PrintIcon } from "../frame/icons.tsx";
import { Notice } from "../frame/notice.tsx";
import { Page } from "../frame/page.tsx";

type Props = { title: string; about: string; leftOut: number; children: ReactNode };

/** Something on paper: on the screen as it will be printed. */
export function PrintPage({ title, about, leftOut, children }: Props) {
  return (
    <Page
      title={title}
      about={about}
      back={{ to: "/orders", title: "Orders" }}
      actions={
        <Button type="button" onPress={() => print()}>
          <PrintIcon className="size-5" />
          Print
        </Button>
      }
    >
      {leftOut > 0 && (
        <div className="print:hidden">
          <Notice kind="error">{leftOut} orders are left out: print them after these.</Notice>
        </div>
      )}
      <div className="mt-5 print:mt-0">{children}</div>
    </Page>
  );
}
