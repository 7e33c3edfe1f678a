package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;

/**
 * Encodes results. Local, thread-safe.
 *
 * <pre>
 * kind  result    fields (types as in {@link FieldWriter})
 * 32    Done
 * 33    Number    u64
 * 34    Found     u8 0 or 1, version if 1
 * 35    Value     (the payload is the value)
 * 36    Absent
 * 37    Versions  (payload: {@link PageCodec})
 * 38    Entries   (payload: {@link PageCodec})
 * 39    Numbers   (payload: {@link PageCodec})
 * 40    Lines     (payload: {@link PageCodec})
 * </pre>
 */
final class ResultCodec {
  static final int FIRST = 32;
  static final int LAST = 40;

  private ResultCodec() {}

  /** Appends the fields of a result, and returns its kind. */
  static int write(Result result, FieldWriter to) {
    return switch (result) {
      case Result.Done() -> FIRST;
      case Result.Number(var value) -> {
        to.u64(value);
        yield 33;
      }
      case Result.Found(var version) -> {
        to.version(version);
        yield 34;
      }
      case Result.Value() -> 35;
      case Result.Absent() -> 36;
      case Result.Versions() -> 37;
      case Result.Entries() -> 38;
      case Result.Numbers() -> 39;
      case Result.Lines() -> LAST;
    };
  }

  /**
   * Reads a result of a kind.
   *
   * @throws FormatException if the kind or a field is unknown
   */
  static Result read(int kind, FieldReader from) {
    return switch (kind) {
      case FIRST -> new Result.Done();
      case 33 -> new Result.Number(from.u64());
      case 34 -> new Result.Found(from.optionalVersion());
      case 35 -> new Result.Value();
      case 36 -> new Result.Absent();
      case 37 -> new Result.Versions();
      case 38 -> new Result.Entries();
      case 39 -> new Result.Numbers();
      case LAST -> new Result.Lines();
      default ->
          throw new FormatException("message: kind of a result", FIRST + " to " + LAST, kind);
    };
  }
}
