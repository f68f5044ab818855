import { BOTTOM, HEIGHT, middleOf, type Plot } from "../timeline-plot.tsx";

/** Marks in the chart for the buckets with notes. Screen readers get the notes as the value of the slider, and from the list. */
export function NoteMarks({ plot, buckets }: { plot: Plot; buckets: Iterable<number> }) {
  return (
    <div aria-hidden className="pointer-events-none absolute inset-x-0 top-0" style={{ height: HEIGHT - BOTTOM }}>
      {Array.from(buckets, (index) => (
        <span
          key={index}
          data-note-mark=""
          className="absolute inset-y-0 flex -translate-x-1/2 flex-col items-center pt-0.5"
          style={{ left: middleOf(plot, index) }}
        >
          <span className="size-2.5 rotate-45 rounded-xs bg-beak" />
          <span className="flex-1 border-s border-dashed border-beak" />
        </span>
      ))}
    </div>
  );
}
