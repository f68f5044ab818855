import { Pencil, Trash2 } from "lucide-react";
import { IconButton } from "./button.tsx";

interface RowButtonProps {
  /** Names what the row shows. */
  label: string;
  disabled?: boolean;
  onClick: () => void;
}

export const EditButton = (props: RowButtonProps) => (
  <IconButton icon={<Pencil size={16} aria-hidden />} size="small" {...props} />
);

export const DeleteButton = (props: RowButtonProps) => (
  <IconButton icon={<Trash2 size={16} aria-hidden />} size="small" {...props} />
);
