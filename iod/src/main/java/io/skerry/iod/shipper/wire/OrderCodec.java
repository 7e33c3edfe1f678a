package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import io.skerry.iod.engine.Durability;
import io.skerry.iod.transaction.Answer;
import io.skerry.iod.transaction.Order;

/**
 * Encodes the orders of the leader and the answers to them. Local, thread-safe.
 *
 * <pre>
 * kind  order               fields (types as in {@link FieldWriter}); each begins with u64 session
 *  96   Recover             u64 mark, u64 oldest
 *  97   Prepare             u64 transaction, u64 readable mark, u8 durability
 *  98   Abort               u64 transaction
 *  99   Persist             u64 through
 * 100   Purge               u64 oldest
 * 101   Snapshot            u64 round, text name, u64 transaction
 *
 * kind  answer              fields; each begins with u64 session
 * 112   Join
 * 113   Recovered
 * 114   Prepared            u64 transaction
 * 115   Unprepared          u64 transaction, text cause
 * 116   Aborted             u64 transaction
 * 117   Persisted           u64 through
 * 118   SnapshotPrepared    u64 round
 * 119   SnapshotUnprepared  u64 round, text cause
 * 120   StorageFailed       text cause
 * </pre>
 */
final class OrderCodec {
  static final int FIRST = 96;
  static final int LAST = 101;
  static final int FIRST_ANSWER = 112;
  static final int LAST_ANSWER = 120;

  private OrderCodec() {}

  /** Appends the fields of an order, and returns its kind. */
  static int write(Order order, FieldWriter to) {
    to.u64(order.session());
    return switch (order) {
      case Order.Recover recover -> {
        to.u64(recover.mark()).u64(recover.oldest());
        yield FIRST;
      }
      case Order.Prepare prepare -> {
        to.u64(prepare.transaction()).u64(prepare.readable()).code(prepare.durability());
        yield 97;
      }
      case Order.Abort abort -> {
        to.u64(abort.transaction());
        yield 98;
      }
      case Order.Persist persist -> {
        to.u64(persist.through());
        yield 99;
      }
      case Order.Purge purge -> {
        to.u64(purge.oldest());
        yield 100;
      }
      case Order.Snapshot snapshot -> {
        to.u64(snapshot.round()).text(snapshot.name()).u64(snapshot.transaction());
        yield LAST;
      }
    };
  }

  /**
   * Reads an order of a kind.
   *
   * @throws FormatException if the kind or a field is unknown
   */
  static Order read(int kind, FieldReader from) {
    long session = from.u64();
    return switch (kind) {
      case FIRST -> new Order.Recover(session, from.u64(), from.u64());
      case 97 -> new Order.Prepare(session, from.u64(), from.u64(), from.code(Durability.values()));
      case 98 -> new Order.Abort(session, from.u64());
      case 99 -> new Order.Persist(session, from.u64());
      case 100 -> new Order.Purge(session, from.u64());
      case LAST -> new Order.Snapshot(session, from.u64(), from.text(), from.u64());
      default ->
          throw new FormatException("message: kind of an order", FIRST + " to " + LAST, kind);
    };
  }

  /** Appends the fields of an answer, and returns its kind. */
  static int write(Answer answer, FieldWriter to) {
    to.u64(answer.session());
    return switch (answer) {
      case Answer.Join _ -> FIRST_ANSWER;
      case Answer.Recovered _ -> 113;
      case Answer.Prepared prepared -> {
        to.u64(prepared.transaction());
        yield 114;
      }
      case Answer.Unprepared unprepared -> {
        to.u64(unprepared.transaction()).text(unprepared.cause());
        yield 115;
      }
      case Answer.Aborted aborted -> {
        to.u64(aborted.transaction());
        yield 116;
      }
      case Answer.Persisted persisted -> {
        to.u64(persisted.through());
        yield 117;
      }
      case Answer.SnapshotPrepared prepared -> {
        to.u64(prepared.round());
        yield 118;
      }
      case Answer.SnapshotUnprepared unprepared -> {
        to.u64(unprepared.round()).text(unprepared.cause());
        yield 119;
      }
      case Answer.StorageFailed failed -> {
        to.text(failed.cause());
        yield LAST_ANSWER;
      }
    };
  }

  /**
   * Reads an answer of a kind.
   *
   * @throws FormatException if the kind or a field is unknown
   */
  static Answer readAnswer(int kind, FieldReader from) {
    long session = from.u64();
    return switch (kind) {
      case FIRST_ANSWER -> new Answer.Join();
      case 113 -> new Answer.Recovered(session);
      case 114 -> new Answer.Prepared(session, from.u64());
      case 115 -> new Answer.Unprepared(session, from.u64(), from.text());
      case 116 -> new Answer.Aborted(session, from.u64());
      case 117 -> new Answer.Persisted(session, from.u64());
      case 118 -> new Answer.SnapshotPrepared(session, from.u64());
      case 119 -> new Answer.SnapshotUnprepared(session, from.u64(), from.text());
      case LAST_ANSWER -> new Answer.StorageFailed(session, from.text());
      default ->
          throw new FormatException(
              "message: kind of an answer", FIRST_ANSWER + " to " + LAST_ANSWER, kind);
    };
  }
}
