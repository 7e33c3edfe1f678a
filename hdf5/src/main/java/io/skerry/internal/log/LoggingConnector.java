package io.skerry.internal.log;

import io.skerry.mpi.Communicator;
import io.skerry.parallel.FileAccess;
import io.skerry.parallel.FileOptions;
import io.skerry.spi.Connector;
import io.skerry.spi.StoredFile;
import java.nio.file.Path;

/**
 * Forwards calls to another connector and logs them at level DEBUG, except for cheap local calls.
 * After a call has ended, the connector logs the rank, the file, the call with its main arguments,
 * its duration and, if the call failed, the message of the exception. The values of elements and
 * attributes are not logged; a write to one dataset is logged with the number of values, bytes or
 * chunks. Each rank logs its own calls.
 *
 * @param below the connector to which calls are forwarded
 * @param log the log that receives the lines
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
