package io.skerry.iod.shipper.wire;

import io.skerry.exception.FormatException;
import java.lang.foreign.MemorySegment;
import java.util.ArrayList;
import java.util.List;

/**
 * The description of an exception that another rank has thrown.
 *
 * <pre>
 * +0    +1    +2     +6     +10     +18     +26  +27
 * +-----+-----+------+------+-------+-------+----+-----------+
 * |kind |code | rank | shard| first | second| n  | n texts   |   text as in {@link FieldWriter}
 * | u8  | u8  | i32  | i32  | u64   | u64   | u8 |           |
 * +-----+-----+------+------+-------+-------+----+-----------+
 *
 * kind          code     first        second  texts
 * ARGUMENT                                    message
 * STATE                                       message
 * ENGINE        fault                         container, code, report
 * CONTAINER     reason                        path, expected, actual
 * PURGED                 transaction  oldest  container
 * TRANSACTION   refusal                       message
 * FORMAT                                      what, expected, actual, object, file
 * OTHER                                       message
 * </pre>
 *
 * @param kind the type of the exception
 * @param code the ordinal of its reason; 0 if it has none
 * @param rank the rank that has thrown the exception, in the communicator of the container
 * @param shard the shard number; -1 if the failure does not concern a single shard
 * @param first a number
 * @param second a number
 * @param texts the texts, as many as the kind has
 */
public record Failure(
    Kind kind, int code, int rank, int shard, long first, long second, List<String> texts) {
  /** The types of exceptions. Their order is the order of their codes. */
  public enum Kind {
    /** An {@link IllegalArgumentException}. */
    ARGUMENT(1),
    /** An {@link IllegalStateException}. */
    STATE(1),
    /** An {@link io.skerry.iod.engine.EngineException}. */
    ENGINE(3),
    /** A {@link io.skerry.iod.engine.ContainerException}. */
    CONTAINER(3),
    /** A {@link io.skerry.iod.engine.PurgedException}. */
    PURGED(1),
    /** A {@link io.skerry.iod.transaction.TransactionException}. */
    TRANSACTION(1),
    /** A {@link FormatException}. */
    FORMAT(5),
    /** Any other exception. */
    OTHER(1);

    private final int texts;

    Kind(int texts) {
      this.texts = texts;
    }
  }

  /**
   * Copies the texts.
   *
   * @throws IllegalArgumentException if the kind has another number of texts
   */
  public Failure {
    texts = List.copyOf(texts);
    if (texts.size() != kind.texts) {
      throw new IllegalArgumentException(
          "texts of a failure: kind="
              + kind
              + " expected="
              + kind.texts
              + " actual="
              + texts.size());
    }
  }

  void write(FieldWriter to) {
    to.code(kind).u8(code).u32(rank).u32(shard).u64(first).u64(second).u8(texts.size());
    texts.forEach(to::text);
  }

  /**
   * Reads a failure.
   *
   * @throws FormatException if a field is damaged
   */
  static Failure read(FieldReader from) {
    Kind kind = from.code(Kind.values());
    int code = from.u8();
    int rank = from.number("rank");
    int shard = from.i32();
    long first = from.u64();
    long second = from.u64();
    int count = from.u8();
    if (count != kind.texts) {
      throw new FormatException("message: texts of a failure", kind.texts, count);
    }
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      texts.add(from.text());
    }
    return new Failure(kind, code, rank, shard, first, second, texts);
  }

  /** Returns the encoded form, for a collective call that passes a failure on. */
  public byte[] toBytes() {
    FieldWriter to = new FieldWriter();
    write(to);
    return to.toArray();
  }

  /**
   * Decodes the bytes of {@link #toBytes}.
   *
   * @throws FormatException if the bytes are damaged
   */
  public static Failure of(byte[] bytes) {
    FieldReader from = new FieldReader(MemorySegment.ofArray(bytes));
    Failure failure = read(from);
    from.requireEnd();
    return failure;
  }
}
