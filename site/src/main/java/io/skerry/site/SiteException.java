package io.skerry.site;

import java.util.List;

/** Thrown if the site cannot be built correctly; the message lists the reasons. */
final class SiteException extends RuntimeException {
  private static final long serialVersionUID = 1;

  SiteException(String what, List<String> reasons) {
    super(what + ":\n  " + String.join("\n  ", reasons));
  }
}
