/** Leads to what is wrong with a form, when it is there and a dialog has given the focus back: its first wrong field, or what is said of it as a whole. */
export function focusProblem(): void {
  setTimeout(() => {
    const wrong = document.querySelector<HTMLElement>('main [aria-invalid="true"]');
    if (wrong) (wrong.querySelector("input") ?? wrong).focus();
    else document.querySelector('main [role="alert"]')?.scrollIntoView({ block: "center" });
  });
}
