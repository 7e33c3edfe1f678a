package io.skerry.jobs;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.skerry.jobs.Shell.Ran;
import io.skerry.jobs.run.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;
import picocli.CommandLine.Help.Ansi;

/**
 * Compares the command reference in {@code docs/commands.md} with the {@code --help} texts that it
 * is generated from. With {@code -Dskerry.docs=update} the reference is generated anew instead; the
 * launcher does so for {@code ./skerry docs --update}.
 */
class CommandReferenceTest {
  private static final String BEGIN =
      "<!-- Everything below is generated from --help by ./skerry docs --update. -->\n";

  private static final Subcommand.Handlers NO_HANDLERS =
      new Subcommand.Handlers() {
        @Override
        public <O> ToIntFunction<O> of(Subcommand<O> subcommand) {
          return _ -> 0;
        }
      };

  @TempDir Path folder;

  @Test
  void the_command_reference_repeats_the_help_of_every_subcommand() throws Exception {
    Path page = Repository.root().resolve("docs/commands.md");
    String text = Files.readString(page);
    int begin = text.indexOf(BEGIN);
    assertTrue(begin >= 0, "the line is missing: " + BEGIN);
    String written = text.substring(begin + BEGIN.length());
    if ("update".equals(System.getProperty("skerry.docs"))) {
      Files.writeString(page, text.substring(0, begin) + BEGIN + reference());
    } else {
      assertEquals(reference(), written, "generate it anew: ./skerry docs --update");
    }
  }

  private String reference() throws IOException, InterruptedException {
    CommandLine skerry = Skerry.commandLine(NO_HANDLERS, Launch.of(Map.of()));
    StringBuilder text = new StringBuilder(section("skerry", help(skerry)));
    for (CommandLine each : skerry.getSubcommands().values()) {
      text.append(section("skerry " + each.getCommandName(), help(each)));
    }
    for (String each : List.of("run", "docs", "release")) {
      text.append(section("skerry " + each, helpOfTheLauncher(each)));
    }
    return text.toString();
  }

  private static String help(CommandLine command) {
    return command.getUsageMessage(Ansi.OFF);
  }

  /** Returns the help of a subcommand that the launcher serves without the program. */
  private String helpOfTheLauncher(String subcommand) throws IOException, InterruptedException {
    String launcher = Repository.root().resolve("skerry").toString();
    Map<String, String> environment = Map.of("PATH", System.getenv("PATH"));
    Ran ran = Shell.run(folder, environment, List.of(launcher, subcommand, "--help"));
    assertEquals(0, ran.code(), ran.err());
    return ran.out();
  }

  private static String section(String title, String help) {
    return "\n### " + title + "\n\n```text\n" + help.strip() + "\n```\n";
  }
}
