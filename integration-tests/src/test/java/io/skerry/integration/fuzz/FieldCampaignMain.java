package io.skerry.integration.fuzz;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Runs cases in a separate process whose heap the caller limits.
 *
 * <pre>FieldCampaignMain FOLDER FIRST COUNT [PROGRESS]</pre>
 *
 * Prints the cases with defects, reduced to one change if possible, and the counts. The exit code
 * is 0 without defects, 1 with defects, and 3 if a case does not end, after which a new process
 * must continue. PROGRESS is a file that stores the counts; a restarted run continues from there.
 */
public final class FieldCampaignMain {
  private static final long WALL_SECONDS = Long.getLong("skerry.fuzz.wall", 120);

  /** Limit of peak resident memory in bytes: a heap of 512 MiB, and as much outside it. */
  private static final long RESIDENT_LIMIT = 1L << 30;

  /** Limit of the threads and of the open files that remain, including those of the class path. */
  private static final int MOST_LEFT = 300;

  private final FieldCampaign campaign;
  private final Path progress;
  private final long first;
  private final long count;
  private long next;
  private long defects;

  private FieldCampaignMain(FieldCampaign campaign, long first, long count, Path progress)
      throws IOException {
    this.campaign = campaign;
    this.first = first;
    this.count = count;
    this.next = first;
    this.progress = progress;
    if (Files.exists(progress)) {
      List<String> noted = Files.readAllLines(progress);
      next = Long.parseLong(noted.get(0));
      defects = Long.parseLong(noted.get(1));
    }
  }

  public static void main(String[] args) throws Exception {
    Path folder = Path.of(args[0]);
    Path progress = args.length > 3 ? Path.of(args[3]) : folder.resolve("progress");
    FieldCampaign campaign = new FieldCampaign(folder);
    long first = Long.parseLong(args[1]);
    long count = Long.parseLong(args[2]);
    System.exit(new FieldCampaignMain(campaign, first, count, progress).run());
  }

  private int run() throws Exception {
    try (ExecutorService thread = Executors.newSingleThreadExecutor(FieldCampaignMain::daemon)) {
      while (next < first + count) {
        long number = next++;
        note();
        Future<FieldCampaign.Result> done = thread.submit(() -> campaign.run(number));
        try {
          report(done.get(WALL_SECONDS, TimeUnit.SECONDS));
        } catch (TimeoutException e) {
          defects++;
          System.out.println("case " + number + " does not end: " + campaign.seed(number));
          campaign.changes(number).forEach(change -> System.out.println("  " + change.text()));
          System.out.println("  " + campaign.actions(number) + stuck());
          note();
          Runtime.getRuntime().halt(3);
        } catch (ExecutionException e) {
          throw new IllegalStateException("case " + number, e);
        }
      }
    }
    note();
    System.out.println(
        "cases=" + (next - first) + " defects=" + defects + " peak resident MiB=" + (peak() >> 20));
    return defects == 0 ? 0 : 1;
  }

  private static Thread daemon(Runnable body) {
    return Thread.ofPlatform().daemon().name("changed-file").unstarted(body);
  }

  private void report(FieldCampaign.Result result) throws IOException {
    List<String> found = new ArrayList<>(result.defects());
    if (peak() > RESIDENT_LIMIT && defects == 0) {
      found.add("memory: peak resident=" + peak() + " limit=" + RESIDENT_LIMIT);
    }
    addLeft("threads", "/proc/self/task", found);
    addLeft("descriptors", "/proc/self/fd", found);
    if (!found.isEmpty()) {
      defects++;
      System.out.println("case " + result.number() + ": " + result.seed().getFileName());
      result.changes().forEach(change -> System.out.println("  " + change));
      found.forEach(defect -> System.out.println("  " + defect));
      shrink(result);
    }
  }

  /** Adds a defect if more than {@link #MOST_LEFT} threads or open files remain. */
  private void addLeft(String what, String folder, List<String> found) {
    String[] left = Path.of(folder).toFile().list();
    if (left != null && left.length > MOST_LEFT && defects == 0) {
      found.add(what + " left: count=" + left.length + " limit=" + MOST_LEFT);
    }
  }

  /** Prints the single change that suffices for a defect, if one of several does. */
  private void shrink(FieldCampaign.Result result) {
    List<FieldMutator.Change> changes = campaign.changes(result.number());
    for (FieldMutator.Change change :
        changes.size() > 1 ? changes : List.<FieldMutator.Change>of()) {
      FieldCampaign.Result alone =
          campaign.run(result.number(), List.of(change), campaign.actions(result.number()));
      if (!alone.defects().isEmpty()) {
        System.out.println("  this change suffices: " + change.text());
        return;
      }
    }
  }

  private void note() throws IOException {
    Files.writeString(progress, next + "\n" + defects + "\n");
  }

  private static long peak() throws IOException {
    Matcher peak =
        Pattern.compile("VmHWM:\\s+(\\d+) kB")
            .matcher(Files.readString(Path.of("/proc/self/status")));
    return peak.find() ? Long.parseLong(peak.group(1)) << 10 : 0;
  }

  private static String stuck() {
    StringBuilder where = new StringBuilder();
    for (Map.Entry<Thread, StackTraceElement[]> each : Thread.getAllStackTraces().entrySet()) {
      if (each.getKey().getName().equals("changed-file")) {
        for (StackTraceElement element : each.getValue()) {
          where.append(" < ").append(element);
        }
      }
    }
    return where.toString();
  }
}
