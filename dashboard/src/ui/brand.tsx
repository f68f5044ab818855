import mark from "../assets/tern.svg";

export function Brand({ compact = false }: { compact?: boolean }) {
  return (
    <span className="flex items-center gap-2.5 text-lg font-bold tracking-tight">
      <img src={mark} alt={compact ? "Tern" : ""} width={28} height={28} />
      {!compact && "Tern"}
    </span>
  );
}
