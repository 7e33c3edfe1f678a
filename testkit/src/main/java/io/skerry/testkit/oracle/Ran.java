package io.skerry.testkit.oracle;

import java.util.List;

/**
 * What became of a program.
 *
 * @param command how it was called
 * @param code its exit code
 * @param out what it printed
 * @param err what it complained about
 */
public record Ran(List<String> command, int code, String out, String err) {

  /**
   * This result, if the program was content.
   *
   * @throws IllegalStateException with all that it printed, if the exit code is not 0
   */
  public Ran expectSuccess() {
    if (code != 0) {
      throw new IllegalStateException(
          "program failed: code=" + code + " command=" + command + "\n" + err + out);
    }
    return this;
  }
}
