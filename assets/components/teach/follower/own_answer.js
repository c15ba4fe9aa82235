// The own answer to the presenter's question. It outlives the page and the server: a room that was opened again knows
// no answers, and a page that was loaded again has a new seat. So each student's browser tells its answer once more.

const ANSWER = "glassformer answer"; // the key in this window

export class OwnAnswer {
  constructor(room) {
    this.kept = read(room); // {room, id and name of the question, choice: a place or a word}, or null
    this.room = room;
    this.isTold = false; // over the present connection
  }

  // The place of the choice, or the word; null for none.
  choiceOf(question) {
    return this.kept && this.kept.id === question?.id ? this.kept.choice : null;
  }

  take({ id, name }, choice, isOnline) {
    this.kept = { room: this.room, id, name, choice };
    this.isTold = isOnline;
    this.keep();
  }

  loseConnection() {
    this.isTold = false;
  }

  // The room asks. Returns whether it must be told the answer again. A question that is asked anew has another number:
  // after a restart its answer still counts, but not where the presenter asks the same once more.
  isMissing(question) {
    if (!this.kept) return false;
    const { id, name } = this.kept;
    if (name !== question.name || (id !== question.id && this.isTold)) {
      this.kept = null;
      this.keep();
      return false;
    }
    const isMissing = !this.isTold;
    this.isTold = true;
    if (id !== question.id) {
      this.kept.id = question.id;
      this.keep();
    }
    return isMissing;
  }

  keep() {
    try {
      if (this.kept) sessionStorage.setItem(ANSWER, JSON.stringify(this.kept));
      else sessionStorage.removeItem(ANSWER);
    } catch {
      // The storage is switched off: the answer lasts as long as the page.
    }
  }
}

function read(room) {
  try {
    const kept = JSON.parse(sessionStorage.getItem(ANSWER));
    return kept?.room === room ? kept : null;
  } catch {
    return null;
  }
}
