package io.skerry.jobs;

import java.io.PrintWriter;

/**
 * Prints a JSON object whose last member is a list, element by element: a list of a million objects
 * takes no memory.
 */
final class JsonList {
  private final PrintWriter out;
  private String before = "";

  /** Prints the beginning: {@code first}, which has members, and the name of the list. */
  JsonList(Json.Members first, String name, PrintWriter out) {
    this.out = out;
    String head = first.text();
    out.print(head.substring(0, head.length() - 1) + ", " + new Json.Text(name).text() + ": [");
  }

  void add(Json element) {
    out.print(before);
    out.print(element.text());
    before = ", ";
  }

  void end() {
    out.println("]}");
  }
}
