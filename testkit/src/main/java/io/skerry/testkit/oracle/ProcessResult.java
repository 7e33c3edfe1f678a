package io.skerry.testkit.oracle;

import java.util.List;

/**
 * The result of running a program.
 *
 * @param command the command line
 * @param code the exit code
 * @param out standard output
 * @param err standard error
 */
public record ProcessResult(List<String> command, int code, String out, String err) {

  /**
   * Returns this result if the program succeeded.
   *
   * @throws IllegalStateException with all output of the program if the exit code is not 0
   */
  public ProcessResult expectSuccess() {
    if (code != 0) {
      throw new IllegalStateException(
          "program failed: code=" + code + " command=" + command + "\n" + err + out);
    }
    return this;
  }
}
