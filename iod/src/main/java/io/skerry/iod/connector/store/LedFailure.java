package io.skerry.iod.connector.store;

import io.skerry.NoSuchObjectException;
import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.exception.FormatException;
import io.skerry.exception.UnsupportedFeatureException;
import io.skerry.mpi.Communicator;
import java.lang.foreign.MemorySegment;
import java.util.List;
import java.util.Optional;

/**
 * The failure of rank 0 in a step that it performs for all ranks. The other ranks have failed for
 * the same reason, so they get an exception of the same type.
 *
 * <pre>
 * message   kind u8 | for each text: length u32, UTF-8
 * </pre>
 *
 * @param kind the type of the exception
 * @param texts the arguments of its constructor
 */
record LedFailure(Kind kind, List<String> texts) {
  private static final String PATH = ": path=";

  /** The exception types that are passed on; {@code STATE} covers all others. */
  enum Kind {
    ARGUMENT,
    STATE,
    MISSING,
    UNSUPPORTED,
    FORMAT
  }

  static LedFailure of(RuntimeException e) {
    String message = Optional.ofNullable(e.getMessage()).orElse(e.toString());
    return switch (e) {
      case IllegalArgumentException _ -> new LedFailure(Kind.ARGUMENT, List.of(message));
      case NoSuchObjectException missing ->
          new LedFailure(
              Kind.MISSING,
              List.of(message.substring(0, Math.max(0, message.indexOf(PATH))), missing.path()));
      case UnsupportedFeatureException unsupported ->
          new LedFailure(Kind.UNSUPPORTED, List.of(unsupported.feature(), unsupported.where()));
      case FormatException format ->
          new LedFailure(
              Kind.FORMAT,
              List.of(
                  format.what(), format.expected(), format.actual(), format.object().orElse("")));
      default -> new LedFailure(Kind.STATE, List.of(message));
    };
  }

  byte[] encode() {
    ByteWriter out = ByteWriter.create().u8(kind.ordinal());
    for (String text : texts) {
      byte[] bytes = ByteWriter.create().text(text).toArray();
      out.u32(bytes.length).bytes(bytes);
    }
    return out.toArray();
  }

  /**
   * Decodes a failure.
   *
   * @throws FormatException if the bytes do not encode a failure
   */
  static LedFailure decode(byte[] message) {
    ByteReader in = ByteReader.of(MemorySegment.ofArray(message), "failure of rank 0");
    int kind = in.u8();
    if (kind >= Kind.values().length) {
      throw in.fault("kind", "0 to " + (Kind.values().length - 1), kind);
    }
    int texts =
        switch (Kind.values()[kind]) {
          case ARGUMENT, STATE -> 1;
          case MISSING, UNSUPPORTED -> 2;
          case FORMAT -> 4;
        };
    String[] decoded = new String[texts];
    for (int i = 0; i < texts; i++) {
      decoded[i] = in.text(in.u32());
    }
    return new LedFailure(Kind.values()[kind], List.of(decoded));
  }

  /**
   * Returns the exception that this rank throws.
   *
   * @param file the path of the file, for messages
   * @param ranks the ranks that have the file open
   */
  RuntimeException exception(String file, Communicator.RankSet ranks) {
    String first = texts.getFirst();
    return switch (kind) {
      case ARGUMENT -> new IllegalArgumentException(first);
      case STATE -> new IllegalStateException(first);
      case MISSING -> new NoSuchObjectException(first, texts.get(1), file, ranks);
      case UNSUPPORTED -> new UnsupportedFeatureException(first, texts.get(1));
      case FORMAT -> {
        FormatException e = new FormatException(first, texts.get(1), texts.get(2));
        e = texts.get(3).isEmpty() ? e : e.inObject(texts.get(3));
        yield e.inFile(file);
      }
    };
  }
}
