package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Durability;

/**
 * Encodes calls. Local, thread-safe.
 *
 * <pre>
 * kind  call       fields (types as in {@link FieldWriter})
 *  1    Edit       i32 shard, u64 session, u64 transaction
 *  2    Put        i32 shard, u64 session, u64 transaction, place
 *  3    Flush      i32 shard, u64 session, u64 transaction
 *  4    Find       i32 shard, u64 session, u64 transaction, place
 *  5    Get        i32 shard, u64 session, u64 transaction, place
 *  6    ListPage   i32 shard, u64 session, u64 transaction, range, limit
 *  7    Scan       i32 shard, u64 session, u64 transaction, range, limit
 *  8    History    i32 shard, u8 0 or 1, version if 1, limit
 *  9    Inspect    i32 shard, u8 property
 * 10    Begin      i32 shard, u64 transaction
 * 11    Prepare    i32 shard, u64 transaction, u8 durability
 * 12    Discard    i32 shard, u64 transaction
 * 13    Maintain   i32 shard, u8 operation, u64 argument
 * 14    ReadMark
 * 15    Advance    u64 expected, u64 next
 * 16    Snapshot   u8 step, text name, u64 transaction
 * </pre>
 */
final class CallCodec {
  static final int FIRST = 1;
  static final int LAST = 16;

  private CallCodec() {}

  /** Appends the fields of a call, and returns its kind. */
  static int write(Call call, FieldWriter to) {
    return switch (call) {
      case Call.Edit(var shard, var at) -> {
        to.u32(shard).position(at);
        yield 1;
      }
      case Call.Put(var shard, var at, var place) -> {
        to.u32(shard).position(at).place(place);
        yield 2;
      }
      case Call.Flush(var shard, var at) -> {
        to.u32(shard).position(at);
        yield 3;
      }
      case Call.Find(var shard, var at, var place) -> {
        to.u32(shard).position(at).place(place);
        yield 4;
      }
      case Call.Get(var shard, var at, var place) -> {
        to.u32(shard).position(at).place(place);
        yield 5;
      }
      case Call.ListPage(var shard, var at, var range, var limit) -> {
        to.u32(shard).position(at).range(range).limit(limit);
        yield 6;
      }
      case Call.Scan(var shard, var at, var range, var limit) -> {
        to.u32(shard).position(at).range(range).limit(limit);
        yield 7;
      }
      case Call.History(var shard, var after, var limit) -> {
        to.u32(shard).version(after).limit(limit);
        yield 8;
      }
      case Call.Inspect(var shard, var property) -> {
        to.u32(shard).code(property);
        yield 9;
      }
      case Call.Begin(var shard, var transaction) -> {
        to.u32(shard).u64(transaction);
        yield 10;
      }
      case Call.Prepare(var shard, var transaction, var durability) -> {
        to.u32(shard).u64(transaction).code(durability);
        yield 11;
      }
      case Call.Discard(var shard, var transaction) -> {
        to.u32(shard).u64(transaction);
        yield 12;
      }
      case Call.Maintain(var shard, var operation, var argument) -> {
        to.u32(shard).code(operation).u64(argument);
        yield 13;
      }
      case Call.ReadMark() -> 14;
      case Call.Advance(var expected, var next) -> {
        to.u64(expected).u64(next);
        yield 15;
      }
      case Call.Snapshot(var step, var name, var transaction) -> {
        to.code(step).text(name).u64(transaction);
        yield LAST;
      }
    };
  }

  /**
   * Reads a call of a kind.
   *
   * @throws FormatException if the kind or a field is unknown
   */
  static Call read(int kind, FieldReader from) {
    return switch (kind) {
      case 1 -> new Call.Edit(shard(from), from.position());
      case 2 -> new Call.Put(shard(from), from.position(), from.place());
      case 3 -> new Call.Flush(shard(from), from.position());
      case 4 -> new Call.Find(shard(from), from.position(), from.place());
      case 5 -> new Call.Get(shard(from), from.position(), from.place());
      case 6 -> new Call.ListPage(shard(from), from.position(), from.range(), from.limit());
      case 7 -> new Call.Scan(shard(from), from.position(), from.range(), from.limit());
      case 8 -> new Call.History(shard(from), from.optionalVersion(), from.limit());
      case 9 -> new Call.Inspect(shard(from), from.code(Call.Property.values()));
      case 10 -> new Call.Begin(shard(from), from.u64());
      case 11 -> new Call.Prepare(shard(from), from.u64(), from.code(Durability.values()));
      case 12 -> new Call.Discard(shard(from), from.u64());
      case 13 -> new Call.Maintain(shard(from), from.code(Call.Maintenance.values()), from.u64());
      case 14 -> new Call.ReadMark();
      case 15 -> new Call.Advance(from.u64(), from.u64());
      case LAST ->
          new Call.Snapshot(from.code(Call.SnapshotStep.values()), from.text(), from.u64());
      default -> throw new FormatException("message: kind of a call", FIRST + " to " + LAST, kind);
    };
  }

  private static int shard(FieldReader from) {
    return from.number("shard");
  }
}
