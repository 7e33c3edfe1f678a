package io.skerry.jobs.mpi;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.skerry.collective.step.LocalStatus;
import io.skerry.jobs.report.Json;
import io.skerry.jobs.run.Agreement;
import io.skerry.jobs.run.JobException;
import io.skerry.mpi.Communicator;
import io.skerry.mpi.MpiException;
import io.skerry.mpi.MpiInstallation;
import io.skerry.mpi.file.FileView;
import io.skerry.mpi.file.MpiFile;
import io.skerry.mpi.file.OpenMode;
import io.skerry.mpi.internal.concurrent.Watchdog;
import io.skerry.mpi.internal.launch.Launcher;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Examines the MPI library of a job and the component that performs its collective I/O. Collective.
 */
final class MpiJob {
  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");
  private static final int PROBE_BYTES = 4096;

  private final Communicator world;
  private final MpiInstallation installation;
  private final Map<String, String> environment;

  MpiJob(Communicator world, MpiInstallation installation, Map<String, String> environment) {
    this.world = world;
    this.installation = installation;
    this.environment = Map.copyOf(environment);
  }

  /**
   * Runs the job.
   *
   * @param folder the folder in which a small file is written and removed
   * @return the report; the details of the MPI library, the number of processors and the warnings
   *     are those of this rank
   * @throws JobException on all ranks if the file cannot be created, written, read back or removed
   */
  Json.Members run(Path folder) {
    String launcher = Launcher.of(environment).map(found -> found.kind().toString()).orElse("none");
    List<String> hosts = hosts();
    String files = component(folder.toAbsolutePath().normalize());
    Map<String, Long> ranksOfHosts = new TreeMap<>();
    hosts.forEach(host -> ranksOfHosts.merge(host, 1L, Long::sum));
    Json.Members byHost = Json.object();
    for (Map.Entry<String, Long> host : ranksOfHosts.entrySet()) {
      byHost = byHost.with(host.getKey(), host.getValue());
    }
    List<Json> warnings = new ArrayList<>();
    installation.warnings().forEach(warning -> warnings.add(new Json.Text(warning)));
    long here = ranksOfHosts.getOrDefault(hosts.get(world.rank()), 1L);
    crowding(here).ifPresent(warning -> warnings.add(new Json.Text(warning)));
    return Json.object()
        .with("backEnd", installation.backEnd())
        .with("library", installation.library())
        .with("version", installation.version())
        .with("standard", installation.standard())
        .with("threads", installation.threads())
        .with("launcher", launcher)
        .with("ranks", world.size())
        .with("hosts", byHost)
        .with("processors", Runtime.getRuntime().availableProcessors())
        .with("files", files)
        .with("warnings", new Json.Items(warnings));
  }

  /**
   * Returns a warning if Open MPI waits by polling without yielding the processor, and fewer
   * processors are available than this host has ranks: a rank that polls for messages takes
   * processor time from the other ranks.
   */
  private Optional<String> crowding(long ranksHere) {
    int processors = Runtime.getRuntime().availableProcessors();
    boolean yields = "1".equals(environment.get("OMPI_MCA_mpi_yield_when_idle"));
    boolean openMpi = installation.version().startsWith("Open MPI");
    return openMpi && !yields && ranksHere > processors
        ? Optional.of(
            "%d ranks share %d processors and wait busily; set OMPI_MCA_mpi_yield_when_idle=1"
                .formatted(ranksHere, processors))
        : Optional.empty();
  }

  private List<String> hosts() {
    byte[] own = hostName().getBytes(UTF_8);
    long[] lengths = world.allGather(own.length);
    long[] places = new long[lengths.length];
    for (int rank = 1; rank < places.length; rank++) {
      places[rank] = places[rank - 1] + lengths[rank - 1];
    }
    byte[] all = new byte[Math.toIntExact(Arrays.stream(lengths).sum())];
    world.allGatherVariable(
        MemorySegment.ofArray(own), MemorySegment.ofArray(all), lengths, places);
    List<String> names = new ArrayList<>();
    for (int rank = 0; rank < lengths.length; rank++) {
      names.add(new String(all, (int) places[rank], (int) lengths[rank], UTF_8));
    }
    return names;
  }

  private static String hostName() {
    try {
      return Files.readString(HOST_NAME).strip();
    } catch (IOException e) {
      return "unknown";
    }
  }

  /**
   * Returns the name of the component that performs collective I/O. The component is known only for
   * an open file, so a file is written and read back by all ranks.
   */
  private String component(Path folder) {
    byte[] number = new byte[8];
    ThreadLocalRandom.current().nextBytes(number);
    byte[] agreed = world.broadcast(number, 0);
    Path probe = folder.resolve(".skerry-mpi-" + HexFormat.of().formatHex(agreed));
    try (Watchdog watchdog = new Watchdog(world.rank(), System.err)) {
      return Agreement.using(
          world,
          world.duplicate(),
          Communicator::close,
          ranks -> {
            Agreement agreement = new Agreement(ranks, watchdog, probe);
            try {
              return Agreement.using(
                  ranks, create(probe, agreement), MpiFile::close, file -> probe(file, agreement));
            } finally {
              agreement.first("removing the file", () -> Files.deleteIfExists(probe));
            }
          });
    }
  }

  /** Writes and reads a file. Every rank takes part in every step, even after a failure. */
  private String probe(MpiFile file, Agreement agreement) {
    byte[] written = new byte[PROBE_BYTES];
    Arrays.fill(written, (byte) (world.rank() + 1));
    byte[] back = new byte[PROBE_BYTES];
    FileView view = FileView.of((long) world.rank() * PROBE_BYTES, PROBE_BYTES);
    // Each step has its own status, so that it runs even if the previous step failed on this rank.
    List<LocalStatus> steps =
        List.of(
            attempt(() -> file.writeAtAll(view, MemorySegment.ofArray(written))),
            attempt(file::sync),
            attempt(() -> file.readAtAll(view, MemorySegment.ofArray(back))));
    agreement.each(
        "writing a file together",
        () -> {
          for (LocalStatus step : steps) {
            if (step.failure().isPresent()) {
              throw step.failure().get();
            }
          }
          if (!Arrays.equals(written, back)) {
            throw new JobException("what was written is not what is read: file=" + file.path());
          }
          return file;
        });
    return file.component();
  }

  private static LocalStatus attempt(LocalStatus.Step step) {
    LocalStatus status = new LocalStatus();
    status.attempt(step);
    return status;
  }

  private MpiFile create(Path probe, Agreement agreement) {
    try {
      return world.openFile(probe, OpenMode.CREATE, Map.of());
    } catch (MpiException e) {
      // All ranks throw this exception.
      return agreement.each(
          "creating a file",
          () -> {
            throw new JobException("cannot write in the folder: " + e.text(), e);
          });
    }
  }
}
