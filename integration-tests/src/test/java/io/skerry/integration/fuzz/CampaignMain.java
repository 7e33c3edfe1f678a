package io.skerry.integration.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Runs a long campaign in a separate process whose heap the caller limits.
 *
 * <pre>CampaignMain FIRST COUNT SECONDS FILE-OR-FOLDER...</pre>
 *
 * SECONDS is the time after which the read of a file counts as a hang. Prints each defect and the
 * number of cases per outcome. The exit code is 1 if there is a defect, otherwise 0.
 */
public final class CampaignMain {
  private static final long LARGEST_FILE = 256 << 10;
  private static final long ROUND = 5000;

  private CampaignMain() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    List<Path> files = new ArrayList<>();
    for (int i = 3; i < args.length; i++) {
      try (Stream<Path> all = Files.walk(Path.of(args[i]))) {
        all.filter(CampaignMain::isUsable).sorted().forEach(files::add);
      }
    }
    Path scratch = Files.createTempDirectory("damaged");
    long first = Long.parseLong(args[0]);
    long count = Long.parseLong(args[1]);
    Duration limit = Duration.ofSeconds(Long.parseLong(args[2]));
    Campaign.Reader reader = ReadEverything::of;
    try (Campaign campaign = new Campaign(files, reader, limit, scratch)) {
      int told = 0;
      for (long done = 0; done < count; done += ROUND) {
        campaign.run(first + done, Math.min(ROUND, count - done));
        for (Campaign.Finding found :
            campaign.findings().subList(told, campaign.findings().size())) {
          System.out.println(
              found.number() + " " + found.file().getFileName() + ": " + found.what());
        }
        told = campaign.findings().size();
        Map<Outcome, Long> counts = new TreeMap<>(campaign.counts());
        System.out.println(
            "files="
                + files.size()
                + " mutations="
                + (done + Math.min(ROUND, count - done))
                + " "
                + counts);
      }
      System.exit(told == 0 ? 0 : 1);
    }
  }

  private static boolean isUsable(Path file) {
    try {
      String name = file.getFileName().toString();
      boolean hdf5 = name.endsWith(".h5") || name.endsWith(".hdf5") || name.endsWith(".nxs");
      return hdf5 && Files.size(file) > 0 && Files.size(file) <= LARGEST_FILE;
    } catch (IOException e) {
      return false;
    }
  }
}
