package io.skerry.internal.log;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;

/**
 * Forwards every call to another connector and logs it at level DEBUG when it has ended: the rank,
 * the file, the call with its arguments, how long it took, and what it failed with. Values are
 * never logged, only how many there are. Each rank logs its own calls.
 *
 * @param below the connector that does the work
 * @param log where the lines go
 */
public record LoggingConnector(Connector below, System.Logger log) implements Connector {
  @Override
  public String name() {
    return "log(" + below.name() + ")";
  }

  @Override
  public StoredFile open(Path path, FileAccess access, Communicator ranks, FileOptions options) {
    CallLog calls = new CallLog(log, ranks.rank(), path);
    return calls.call(
        "open access=" + access,
        () -> new LoggedFile(below.open(path, access, ranks, options), calls));
  }
}
