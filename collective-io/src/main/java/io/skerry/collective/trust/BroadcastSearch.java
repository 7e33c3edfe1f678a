package io.skerry.collective.trust;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.chunk.bytes.ByteReader;
import io.skerry.chunk.bytes.ByteWriter;
import io.skerry.collective.step.LocalStatus;
import io.skerry.collective.trust.ReferencedFiles.Found;
import io.skerry.mpi.Communicator;
import io.skerry.parallel.UntrustedFileException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Searches on rank 0, on behalf of all ranks, for a file that an open file names. If each rank
 * searched independently, the ranks could find different files and call different operations. Ranks
 * that open a file would then wait for ranks that have not found it.
 */
public final class BroadcastSearch {
  private static final int MISSING = 0;
  private static final int FOUND = 1;
  private static final int REFUSED = 2;
  private static final int FAILED = 3;

  private BroadcastSearch() {}

  /**
   * Searches on rank 0 and broadcasts the result. Collective.
   *
   * @param search the search, called on rank 0 only
   * @return the file that rank 0 has found, on every rank; empty if there is none
   * @throws UntrustedFileException on every rank if rank 0 refuses the file
   * @throws IllegalStateException on the other ranks if the search failed on rank 0, which throws
   *     the original exception
   */
  public static Optional<Found> run(Communicator ranks, Supplier<Optional<Found>> search) {
    LocalStatus status = new LocalStatus();
    if (ranks.rank() == 0) {
      Optional<Found> found = status.attempt(search::get, Optional.empty());
      byte[] unused = ranks.broadcast(message(found, status.failure()), 0);
      if (status.failure().isPresent()) {
        throw status.failure().get();
      }
      return found;
    }
    byte[] result = ranks.broadcast(new byte[0], 0);
    return decoded(ByteReader.of(MemorySegment.ofArray(result), "search of the first rank"));
  }

  private static byte[] message(Optional<Found> found, Optional<RuntimeException> failure) {
    if (failure.isPresent()) {
      return failure.get() instanceof UntrustedFileException refusal
          ? message(REFUSED, List.of(refusal.named(), refusal.reason(), text(refusal)))
          : message(FAILED, List.of(text(failure.get())));
    }
    return found
        .map(file -> message(FOUND, List.of(file.named().toString(), file.path().toString())))
        .orElseGet(() -> message(MISSING, List.of()));
  }

  private static String text(RuntimeException failure) {
    return String.valueOf(failure.getMessage());
  }

  private static byte[] message(int kind, List<String> texts) {
    ByteWriter out = ByteWriter.create().u8(kind);
    for (String text : texts) {
      byte[] bytes = text.getBytes(UTF_8);
      out.u32(bytes.length).bytes(bytes);
    }
    return out.toArray();
  }

  private static Optional<Found> decoded(ByteReader in) {
    return switch (in.u8()) {
      case MISSING -> Optional.empty();
      case FOUND -> Optional.of(new Found(Path.of(next(in)), Path.of(next(in))));
      case REFUSED -> throw UntrustedFileException.of(next(in), next(in), next(in));
      default -> throw new IllegalStateException("the search failed on rank 0: " + next(in));
    };
  }

  private static String next(ByteReader in) {
    return in.text(in.u32());
  }
}
