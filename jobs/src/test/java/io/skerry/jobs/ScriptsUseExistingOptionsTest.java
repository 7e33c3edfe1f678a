package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.run.Launch;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToIntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Tests that scripts and pages use only existing commands and options. */
class ScriptsUseExistingOptionsTest {
  /** The long options of sbatch, from its manual. */
  private static final Set<String> SBATCH =
      Set.of(
          "account",
          "acctg-freq",
          "array",
          "batch",
          "bb",
          "bbf",
          "begin",
          "chdir",
          "cluster-constraint",
          "clusters",
          "comment",
          "constraint",
          "container",
          "contiguous",
          "core-spec",
          "cores-per-socket",
          "cpu-freq",
          "cpus-per-gpu",
          "cpus-per-task",
          "deadline",
          "delay-boot",
          "dependency",
          "distribution",
          "error",
          "exclude",
          "exclusive",
          "export",
          "export-file",
          "extra-node-info",
          "get-user-env",
          "gid",
          "gpu-bind",
          "gpu-freq",
          "gpus",
          "gpus-per-node",
          "gpus-per-socket",
          "gpus-per-task",
          "gres",
          "gres-flags",
          "hint",
          "hold",
          "ignore-pbs",
          "input",
          "job-name",
          "kill-on-invalid-dep",
          "licenses",
          "mail-type",
          "mail-user",
          "mcs-label",
          "mem",
          "mem-bind",
          "mem-per-cpu",
          "mem-per-gpu",
          "mincpus",
          "network",
          "nice",
          "no-kill",
          "no-requeue",
          "nodefile",
          "nodelist",
          "nodes",
          "ntasks",
          "ntasks-per-core",
          "ntasks-per-gpu",
          "ntasks-per-node",
          "ntasks-per-socket",
          "open-mode",
          "output",
          "overcommit",
          "oversubscribe",
          "parsable",
          "partition",
          "power",
          "prefer",
          "priority",
          "profile",
          "propagate",
          "qos",
          "quiet",
          "reboot",
          "requeue",
          "reservation",
          "signal",
          "sockets-per-node",
          "spread-job",
          "switches",
          "test-only",
          "thread-spec",
          "threads-per-core",
          "time",
          "time-min",
          "tmp",
          "tres-per-task",
          "uid",
          "use-min-nodes",
          "verbose",
          "wait",
          "wait-all-nodes",
          "wckey",
          "wrap");

  private static final List<String> BATCH =
      List.of("slurm/lcls.sbatch", "slurm/lcls-nodes.sbatch", "slurm/lcls-array.sbatch");

  private static final Pattern DIRECTIVE = Pattern.compile("#SBATCH +--([a-z-]+)(=\\S.*)?");
  private static final Pattern CALL = Pattern.compile("\\./skerry +([^`|&#\\n]*)");
  private static final Pattern SUBMISSION =
      Pattern.compile("sbatch (.*)slurm/lcls[a-z-]*\\.sbatch(.*)");

  private static final Subcommand.Handlers NOTHING =
      new Subcommand.Handlers() {
        @Override
        public <O> ToIntFunction<O> of(Subcommand<O> subcommand) {
          return _ -> 0;
        }
      };

  private final CommandLine skerry = Skerry.commandLine(NOTHING, Launch.of(Map.of()));

  @Test
  void every_sbatch_directive_is_valid_and_precedes_the_first_command() throws IOException {
    for (String script : BATCH) {
      checkDirectives(Files.readAllLines(Repository.root().resolve(script)));
    }
  }

  private static void checkDirectives(List<String> lines) {
    assertEquals("#!/usr/bin/env bash", lines.getFirst());
    int directives = 0;
    boolean commands = false;
    for (String line : lines) {
      commands |= !line.isBlank() && !line.startsWith("#");
      if (line.startsWith("#SBATCH")) {
        Matcher directive = DIRECTIVE.matcher(line);
        assertTrue(directive.matches() && SBATCH.contains(directive.group(1)), line);
        assertTrue(!commands, "sbatch reads no directive after a command: " + line);
        directives++;
      }
    }
    assertTrue(directives >= 5, "directives=" + directives);
  }

  @Test
  void every_call_in_scripts_and_pages_uses_existing_commands_and_options() throws IOException {
    List<String> calls = new ArrayList<>();
    List<String> names =
        new ArrayList<>(
            List.of(
                "README.md",
                "docs/user-guide.md",
                "docs/virtual-datasets.md",
                "docs/commands.md",
                "docs/parallel.md",
                "docs/performance.md",
                "docs/limits.md",
                "slurm/README.md",
                ".ci/run"));
    names.addAll(BATCH);
    for (String name : names) {
      Path file = Repository.root().resolve(name);
      String text = Files.readString(file).replace("\\\n", " ");
      CALL.matcher(text).results().forEach(call -> calls.add(call.group(1).strip()));
      for (Matcher at = SUBMISSION.matcher(text); at.find(); ) {
        for (String option : options(at.group(1))) {
          assertTrue(SBATCH.contains(option.substring(2)), "sbatch " + option + " in " + name);
        }
        calls.add("lcls" + at.group(2));
      }
    }
    assertTrue(calls.size() >= 8, calls.toString());
    calls.forEach(this::check);
  }

  private void check(String call) {
    String[] words = call.split("\\s+");
    String name = words[0].replaceAll("[^a-z-]+$", "");
    if (name.isEmpty() || isDoneByTheLauncher(name)) {
      return;
    }
    CommandLine command = name.startsWith("-") ? skerry : skerry.getSubcommands().get(name);
    assertTrue(command != null, "no such command: ./skerry " + call);
    for (String option : options(call)) {
      assertTrue(
          command.getCommandSpec().optionsMap().containsKey(option),
          "no such option: " + option + " in ./skerry " + call);
    }
  }

  /** Returns true if the script executes the command itself, without the Java program. */
  private static boolean isDoneByTheLauncher(String name) {
    try {
      return Files.readString(Repository.root().resolve("skerry"))
          .contains("\n  " + name + ") shift; run_");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static List<String> options(String call) {
    return Pattern.compile("(?<!\\S)--?[A-Za-z][a-z-]*")
        .matcher(call)
        .results()
        .map(option -> option.group())
        .toList();
  }
}
