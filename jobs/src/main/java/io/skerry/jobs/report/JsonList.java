package io.skerry.jobs.report;

import java.io.PrintWriter;

/**
 * Prints a JSON object whose last member is an array. The elements are printed one by one, so that
 * the complete array is never in memory.
 */
public final class JsonList {
  private final PrintWriter out;
  private String before = "";

  /**
   * Prints the beginning of the object, up to the first element of the array.
   *
   * @param first the members before the array, at least one
   * @param name the name of the array
   */
  public JsonList(Json.Members first, String name, PrintWriter out) {
    this.out = out;
    String head = first.text();
    out.print(head.substring(0, head.length() - 1) + ", " + new Json.Text(name).text() + ": [");
  }

  public void add(Json element) {
    out.print(before);
    out.print(element.text());
    before = ", ";
  }

  public void end() {
    out.println("]}");
  }
}
