/** The address of a WhatsApp chat with this message, whose recipient is chosen in WhatsApp. */
export function chatWithAnyone(message: string): string {
  return `https://wa.me/?${new URLSearchParams({ text: message })}`;
}
