package io.skerry.jobs;

import io.skerry.jobs.command.ConvertCommand;
import io.skerry.jobs.command.DefinedCommand;
import io.skerry.jobs.command.DigestCommand;
import io.skerry.jobs.command.DumpCommand;
import io.skerry.jobs.command.ExportCommand;
import io.skerry.jobs.command.FollowCommand;
import io.skerry.jobs.command.ImportCommand;
import io.skerry.jobs.command.IodCommand;
import io.skerry.jobs.command.LclsCommand;
import io.skerry.jobs.command.LsCommand;
import io.skerry.jobs.command.MpiCommand;
import io.skerry.jobs.command.PcaCommand;
import io.skerry.jobs.command.RecoverCommand;
import io.skerry.jobs.command.RepackCommand;
import io.skerry.jobs.command.StatCommand;
import io.skerry.jobs.command.VerifyCommand;
import io.skerry.jobs.command.VirtualCommand;
import io.skerry.jobs.copy.ConvertHandler;
import io.skerry.jobs.copy.RepackHandler;
import io.skerry.jobs.follow.FollowHandler;
import io.skerry.jobs.inspect.DefinedHandler;
import io.skerry.jobs.inspect.DumpHandler;
import io.skerry.jobs.inspect.IodHandler;
import io.skerry.jobs.inspect.LsHandler;
import io.skerry.jobs.integrity.DigestHandler;
import io.skerry.jobs.integrity.RecoverHandler;
import io.skerry.jobs.integrity.VerifyHandler;
import io.skerry.jobs.interchange.ExportHandler;
import io.skerry.jobs.interchange.ImportHandler;
import io.skerry.jobs.lcls.LclsHandler;
import io.skerry.jobs.mpi.MpiHandler;
import io.skerry.jobs.pca.PcaHandler;
import io.skerry.jobs.stat.StatHandler;
import io.skerry.jobs.virtual.VirtualHandler;
import java.util.List;

/** The table of all subcommands with the handler and the command class of each. */
final class Subcommands {
  /** All subcommands, in the order of the help text. */
  static final List<Subcommand<?>> ALL =
      List.of(
          new Subcommand<>("lcls", LclsHandler::new, LclsCommand::new),
          new Subcommand<>("mpi", MpiHandler::new, MpiCommand::new),
          new Subcommand<>("ls", LsHandler::new, LsCommand::new),
          new Subcommand<>("defined", DefinedHandler::new, DefinedCommand::new),
          new Subcommand<>("follow", FollowHandler::new, FollowCommand::new),
          new Subcommand<>("digest", DigestHandler::new, DigestCommand::new),
          new Subcommand<>("dump", DumpHandler::new, DumpCommand::new),
          new Subcommand<>("stat", StatHandler::new, StatCommand::new),
          new Subcommand<>("verify", VerifyHandler::new, VerifyCommand::new),
          new Subcommand<>("iod", IodHandler::new, IodCommand::new),
          new Subcommand<>("recover", RecoverHandler::new, RecoverCommand::new),
          new Subcommand<>("repack", RepackHandler::new, RepackCommand::new),
          new Subcommand<>("convert", ConvertHandler::new, ConvertCommand::new),
          new Subcommand<>("virtual", VirtualHandler::new, VirtualCommand::new),
          new Subcommand<>("export", ExportHandler::new, ExportCommand::new),
          new Subcommand<>("import", ImportHandler::new, ImportCommand::new),
          new Subcommand<>("pca", PcaHandler::new, PcaCommand::new));

  private Subcommands() {}

  /**
   * Returns the subcommand that the first argument names; all subcommands if it names none or there
   * are no arguments.
   */
  static List<Subcommand<?>> neededBy(String... arguments) {
    // Only the annotations of the named subcommand are read, so that MPI starts sooner.
    List<Subcommand<?>> named =
        ALL.stream()
            .filter(each -> arguments.length > 0 && each.name().equals(arguments[0]))
            .toList();
    return named.isEmpty() ? ALL : named;
  }
}
