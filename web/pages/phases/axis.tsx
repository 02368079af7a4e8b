// Lines and figures of an axis of MB.
import { count } from "kit/format";
import { marksOf } from "./model";

const MB = 1048576;

export function Marks({ most, wanted, y, left, right }: { most: number; wanted: number; y(bytes: number): number; left: number; right: number }) {
  return (
    <>
      {marksOf(most, wanted).map((mark) => (
        <g key={mark}>
          <line class="grid-line" x1={left} x2={right} y1={y(mark)} y2={y(mark)} />
          <text class="mark" x={left - 8} y={y(mark) + 4}>{count(mark / MB)}</text>
        </g>
      ))}
    </>
  );
}
